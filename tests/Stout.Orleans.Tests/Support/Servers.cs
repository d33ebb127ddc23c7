using Microsoft.Extensions.DependencyInjection;
using Npgsql;
using Stout.AzureTables;
using Stout.Hosting;
using Stout.PostgreSql;
using Stout.Storage;

namespace Stout.Orleans.Tests;

/// <summary>The database servers for the tests, which environment variables name.</summary>
internal static class Servers
{
    private static readonly string AzureTables = Environment.GetEnvironmentVariable("STOUT_AZURE_TABLES") ?? "";

    /// <summary>The connection string of PostgreSQL; empty without a server.</summary>
    public static string PostgreSql { get; } = Environment.GetEnvironmentVariable("STOUT_POSTGRES") ?? "";

    /// <summary>The reason to skip tests on PostgreSQL; null if there is a server.</summary>
    public static string? MissingPostgreSql => PostgreSql.Length == 0 ? "STOUT_POSTGRES names no server." : null;

    /// <summary>The reason to skip tests on Azure Tables; null if there is a server.</summary>
    public static string? MissingAzureTables => AzureTables.Length == 0 ? "STOUT_AZURE_TABLES names no server." : null;

    /// <summary>A name that no other run has, for a schema or a table.</summary>
    public static string NewName() => $"orleans{Guid.NewGuid():N}"[..20];

    public static StoutBuilder UsePostgreSql(StoutBuilder stout, string schema) => stout.UsePostgreSql(options =>
        (options.ConnectionStrings, options.Schema) = ([PostgreSql], schema));

    public static IStorageProxy ConnectPostgreSql(string schema, TimeProvider time) =>
        new PostgreSqlStorage(new PostgreSqlOptions { ConnectionStrings = [PostgreSql], Schema = schema }, time);

    public static async Task ExecutePostgreSqlAsync(string statement)
    {
        await using var source = NpgsqlDataSource.Create(PostgreSql);
        await using var command = source.CreateCommand(statement);
        await command.ExecuteNonQueryAsync();
    }

    public static StoutBuilder UseAzureTables(StoutBuilder stout, string table) => stout.UseAzureTables(options =>
        (options.Accounts, options.Table) = ([AzureTables], table));

    public static IStorageProxy ConnectAzureTables(string table, TimeProvider time) =>
        new AzureTablesStorage(new AzureTablesOptions { Accounts = [AzureTables], Table = table }, time);
}
