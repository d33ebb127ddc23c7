using Npgsql;
using Stout.Tests.Shared;

namespace Samples.Tests;

/// <summary>A database for one run of the tests, on the server in STOUT_POSTGRES, or else on a server that is started for the run.</summary>
public sealed class SharedDatabase : IAsyncLifetime
{
    private readonly string _name = $"samples_{Guid.NewGuid():N}";
    private string _server = Environment.GetEnvironmentVariable("STOUT_POSTGRES") ?? "";
    private DirectoryInfo? _folder;
    private ServerScript? _script;

    /// <summary>The reason why there is no database; null if there is one.</summary>
    public string? WhyNot { get; private set; }

    public string ConnectionString => new NpgsqlConnectionStringBuilder(_server) { Database = _name }.ConnectionString;

    public async ValueTask InitializeAsync()
    {
        if (_server.Length == 0)
        {
            _folder = Directory.CreateTempSubdirectory("stout-samples-");
            _script = new ServerScript("postgres", Path.Combine(_folder.FullName, "server"));
            try
            {
                _server = await _script.StartAsync();
            }
            catch (InvalidOperationException error)
            {
                WhyNot = $"STOUT_POSTGRES names no server, and none could be started: {error.Message.Replace(ServerScript.SkipToken, "", StringComparison.Ordinal)}";
                return;
            }
        }

        await ExecuteAsync($"CREATE DATABASE {_name}");
    }

    public async ValueTask DisposeAsync()
    {
        if (WhyNot is null)
            await ExecuteAsync($"DROP DATABASE {_name} WITH (FORCE)");
        if (_script is not null && WhyNot is null)
            await _script.StopAsync();
        _folder?.Delete(recursive: true);
    }

    private async Task ExecuteAsync(string command)
    {
        await using var source = NpgsqlDataSource.Create(_server);
        await using var call = source.CreateCommand(command);
        await call.ExecuteNonQueryAsync();
    }
}
