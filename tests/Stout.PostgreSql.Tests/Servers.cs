using Npgsql;
using Stout.Tests.Shared;

[assembly: AssemblyFixture(typeof(Stout.PostgreSql.Tests.SharedServer))]

namespace Stout.PostgreSql.Tests;

/// <summary>The server in STOUT_POSTGRES. Without that variable, a server that is started for this run.</summary>
public sealed class SharedServer : IAsyncLifetime
{
    private OwnServer? _own;
    private InvalidOperationException? _missing;

    /// <summary>The server's connection string. A test that asks for it is skipped if there is no server.</summary>
    public string ConnectionString
    {
        get => _missing is null ? field : throw _missing;
        private set;
    } = Environment.GetEnvironmentVariable("STOUT_POSTGRES") ?? "";

    public bool IsMissing => _missing is not null;

    public async ValueTask InitializeAsync()
    {
        if (ConnectionString.Length > 0)
            return;
        _own = new OwnServer();
        try
        {
            await _own.StartAsync();
            ConnectionString = _own.ConnectionString;
        }
        catch (InvalidOperationException error)
        {
            _missing = error;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_own is not null)
            await _own.DisposeAsync();
    }
}

/// <summary>A server for one test, which may kill it.</summary>
internal sealed class OwnServer : IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("stout-postgres-").FullName;
    private readonly ServerScript _script;

    public OwnServer() => _script = new ServerScript("postgres", Path.Combine(_folder, "server"));

    public string ConnectionString { get; private set; } = "";

    public async Task StartAsync() => ConnectionString = await _script.StartAsync();

    public Task KillAsync() => _script.KillAsync();

    /// <summary>Starts the server again as a standby without a primary: it answers reads alone.</summary>
    public async Task BecomeStandbyAsync()
    {
        await _script.StopAsync();
        await File.WriteAllTextAsync(Path.Combine(_folder, "server", "data", "standby.signal"), "");
        await _script.StartAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _script.StopAsync();
        Directory.Delete(_folder, recursive: true);
    }
}

/// <summary>Databases for one test class, which are dropped at its end.</summary>
public abstract partial class TestDatabases : IAsyncLifetime
{
    public async ValueTask InitializeAsync()
    {
        if (!server.IsMissing)
            await CreateAsync();
    }

    public async ValueTask DisposeAsync()
    {
        if (!server.IsMissing)
            await DropAsync();
        GC.SuppressFinalize(this);
    }
}

/// <summary>One database.</summary>
public sealed class TestDatabase(SharedServer server) : TestDatabases(server, 1);

/// <summary>Three databases, for a store of three partitions.</summary>
public sealed class ThreeDatabases(SharedServer server) : TestDatabases(server, 3);
