using System.Data;
using System.Text;
using Microsoft.Data.SqlClient;
using Stout.SqlServer;
using Stout.Storage;
using Stout.Tests.Shared;

namespace Stout.Benchmarks.Stores;

/// <summary>SQL Server. A plain write is an update that inserts a missing row, over a pool of connections.</summary>
internal sealed class SqlServerStore(string connection) : IComparedStore
{
    private readonly string _schema = $"bench_{Guid.NewGuid():N}";
    private readonly List<string> _proxies = [];
    private string? _plain;

    public string Name => "SQL Server";

    public IStorageProxy Connect()
    {
        _proxies.Add($"{_schema}_{_proxies.Count}");
        
        // Creating the schema may take long on a busy machine.
        var calls = new StoreCallOptions { Timeout = TimeSpan.FromMinutes(1) };
        return new SqlServerStorage(new SqlServerOptions { ConnectionStrings = [connection], Schema = _proxies[^1], Calls = calls });
    }

    public async Task PreparePlainAsync(int writers)
    {
        _plain = new SqlConnectionStringBuilder(connection) { MaxPoolSize = writers }.ConnectionString;
        await ExecuteAsync($"CREATE SCHEMA [{_schema}]");
        await ExecuteAsync($"CREATE TABLE [{_schema}].[entry] ([key] varbinary(900) NOT NULL PRIMARY KEY, value varbinary(max) NOT NULL)");
    }

    public async Task WritePlainAsync(string key, ReadOnlyMemory<byte> value)
    {
        await using var link = new SqlConnection(_plain);
        await link.OpenAsync();
        await using var command = new SqlCommand(
            $"UPDATE [{_schema}].[entry] SET value = @value WHERE [key] = @key; IF @@ROWCOUNT = 0 INSERT INTO [{_schema}].[entry] VALUES (@key, @value);", link);
        command.Parameters.Add("@key", SqlDbType.VarBinary, 900).Value = Encoding.UTF8.GetBytes(key);
        command.Parameters.Add("@value", SqlDbType.VarBinary, -1).Value = value.ToArray();
        await command.ExecuteNonQueryAsync();
    }

    public async Task<bool> AnswersAsync()
    {
        try
        {
            await using var fresh = new SqlConnection(new SqlConnectionStringBuilder(connection) { Pooling = false, ConnectTimeout = 1 }.ConnectionString);
            await fresh.OpenAsync();
            return true;
        }
        catch (SqlException)
        {
            return false;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await ExecuteAsync($"DROP TABLE IF EXISTS [{_schema}].[entry]");
        foreach (var drop in _proxies.SelectMany(SqlServerDrops.Of).Append($"DROP SCHEMA IF EXISTS [{_schema}]"))
            await ExecuteAsync(drop);
    }

    private async Task ExecuteAsync(string sql)
    {
        await using var link = new SqlConnection(connection);
        await link.OpenAsync();
        await using var command = new SqlCommand(sql, link);
        await command.ExecuteNonQueryAsync();
    }
}
