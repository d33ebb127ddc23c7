using Microsoft.Data.SqlClient;

namespace Stout.SqlServer.Tests;

/// <summary>A database for one test, with a setting that the database of the other tests must not have.</summary>
internal sealed class OwnDatabase : IAsyncDisposable
{
    // "The database does not exist, or you may not alter it": the server understood the statement.
    private const int NoSuchDatabase = 5011;

    private readonly string _name = $"stout_{Guid.NewGuid():N}";

    private OwnDatabase()
    {
    }

    public string ConnectionString => new SqlConnectionStringBuilder(ServerSchema.ServerOrSkip()) { InitialCatalog = _name }.ConnectionString;

    /// <summary>Creates the database. If the server can't, the test is skipped.</summary>
    /// <param name="setting">The options of ALTER DATABASE.</param>
    public static async Task<OwnDatabase> CreateAsync(string setting)
    {
        var database = new OwnDatabase();
        var trial = await TryAsync($"ALTER DATABASE [{database._name}] {setting}");
        Assert.SkipUnless(trial == NoSuchDatabase, $"The server does not know ALTER DATABASE … {setting} (error {trial}).");
        var made = await TryAsync($"CREATE DATABASE [{database._name}]");
        Assert.SkipUnless(made is null, $"The server lets this user make no database (error {made}).");
        Assert.Null(await TryAsync($"ALTER DATABASE [{database._name}] {setting}"));
        return database;
    }

    public async ValueTask DisposeAsync()
    {
        // Ends the pool's connections to the database, which would keep it from being dropped.
        await TryAsync($"ALTER DATABASE [{_name}] SET SINGLE_USER WITH ROLLBACK IMMEDIATE");
        Assert.Null(await TryAsync($"DROP DATABASE [{_name}]"));
    }

    /// <returns>The number of the error; null if the statement succeeded.</returns>
    private static async Task<int?> TryAsync(string sql)
    {
        await using var connection = new SqlConnection(ServerSchema.ServerOrSkip());
        await connection.OpenAsync();
        await using var command = new SqlCommand(sql, connection);
        try
        {
            await command.ExecuteNonQueryAsync();
            return null;
        }
        catch (SqlException error)
        {
            return error.Number;
        }
    }
}
