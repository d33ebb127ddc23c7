using System.Text;
using Microsoft.Data.SqlClient;

namespace Stout.SqlServer.Tests;

/// <summary>Another session with an open transaction that has made a change. Its disposal rolls the change back.</summary>
internal sealed class OtherSession : IAsyncDisposable
{
    private readonly SqlConnection _connection = new(ServerSchema.ServerOrSkip());

    private OtherSession()
    {
    }

    /// <summary>Begins a transaction, and runs a statement in it, where <c>stout</c> stands for the test's schema.</summary>
    public static async Task<OtherSession> ChangeAsync(ServerSchema schema, string sql)
    {
        var session = new OtherSession();
        await session._connection.OpenAsync();
        await session.ExecuteAsync("BEGIN TRANSACTION; " + Layout.In(schema.Name, sql));
        return session;
    }

    /// <summary>Locks a key's header.</summary>
    public static Task<OtherSession> LockAsync(ServerSchema schema, string key) =>
        ChangeAsync(schema, "UPDATE [stout].[header] SET epoch = epoch WHERE [key] = 0x" + Hex(key));

    /// <summary>The stored form of a key, its bytes and a final byte 1, in hexadecimal digits.</summary>
    public static string Hex(string key) => Convert.ToHexString(Encoding.UTF8.GetBytes(key)) + "01";

    public async ValueTask DisposeAsync()
    {
        await ExecuteAsync("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION");
        await _connection.DisposeAsync();
    }

    private async Task ExecuteAsync(string sql)
    {
        await using var command = new SqlCommand(sql, _connection);
        await command.ExecuteNonQueryAsync();
    }
}
