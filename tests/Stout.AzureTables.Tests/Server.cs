using Stout.Tests.Shared;

[assembly: AssemblyFixture(typeof(Stout.AzureTables.Tests.Server))]

namespace Stout.AzureTables.Tests;

/// <summary>
/// The server of all tests except those that kill a server: the one in STOUT_AZURE_TABLES, or an Azurite that starts with the first test.
/// </summary>
public sealed class Server : IAsyncLifetime
{
    private AzuriteProcess? _own;

    private InvalidOperationException? _missing;

    /// <summary>The connection string of the account. A test that asks for it is skipped if there is no server.</summary>
    public string Account
    {
        get => _missing is null ? field : throw _missing;
        private set;
    } = Environment.GetEnvironmentVariable("STOUT_AZURE_TABLES") ?? "";

    public async ValueTask InitializeAsync()
    {
        if (Account.Length > 0)
            return;
        _own = new AzuriteProcess();
        try
        {
            Account = await _own.StartAsync();
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

/// <summary>A process of Azurite, run by the script that also starts the common one.</summary>
internal sealed class AzuriteProcess : IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("stout-azurite-").FullName;
    private readonly ServerScript _script;

    public AzuriteProcess() => _script = new ServerScript("azurite", _folder);

    /// <summary>Starts Azurite with its folder and, after the first start, its old port.</summary>
    /// <returns>The server's connection string.</returns>
    public Task<string> StartAsync() => _script.StartAsync();

    /// <summary>Kills Azurite, which loses the data that it has not saved.</summary>
    public Task KillAsync() => _script.KillAsync();

    /// <summary>Stops Azurite after it has saved all data.</summary>
    public Task StopAsync() => _script.StopAsync();

    public async ValueTask DisposeAsync()
    {
        await KillAsync();
        Directory.Delete(_folder, recursive: true);
    }
}
