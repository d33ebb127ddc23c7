using Npgsql;
using Stout.Tests.Shared;

[assembly: AssemblyFixture(typeof(Stout.PostgreSql.Tests.Pooler))]

namespace Stout.PostgreSql.Tests;

/// <summary>PgBouncer before the shared server: the one in STOUT_PGBOUNCER, or one that starts with the first test that needs it.</summary>
public sealed class Pooler : IAsyncDisposable
{
    private readonly SemaphoreSlim _starting = new(1);
    private string? _folder;
    private string _connectionString = Environment.GetEnvironmentVariable("STOUT_PGBOUNCER") ?? "";

    /// <summary>The connection string of a pool mode.</summary>
    /// <param name="server">The server behind the pooler.</param>
    /// <param name="mode"><c>session</c> or <c>transaction</c>.</param>
    public async Task<string> ConnectionStringAsync(SharedServer server, string mode)
    {
        ArgumentNullException.ThrowIfNull(server);
        await _starting.WaitAsync();
        try
        {
            if (_connectionString.Length == 0)
            {
                Environment.SetEnvironmentVariable("STOUT_POSTGRES", server.ConnectionString);
                _folder = Directory.CreateTempSubdirectory("stout-pgbouncer-").FullName;
                _connectionString = await Script(_folder).StartAsync();
            }
        }
        finally
        {
            _starting.Release();
        }

        return new NpgsqlConnectionStringBuilder(_connectionString) { Database = mode }.ConnectionString;
    }

    public async ValueTask DisposeAsync()
    {
        _starting.Dispose();
        if (_folder is null)
            return;
        await Script(_folder).StopAsync();
        Directory.Delete(_folder, recursive: true);
    }

    private static ServerScript Script(string folder) => new("pgbouncer", Path.Combine(folder, "server"));
}
