using Microsoft.Extensions.DependencyInjection;
using Stout.Hosting;

namespace Stout.Orleans.Tests;

/// <summary>The servers that environment variables name.</summary>
internal static class Servers
{
    private static readonly string AzureTables = Environment.GetEnvironmentVariable("STOUT_AZURE_TABLES") ?? "";

    /// <summary>The connection string of PostgreSQL; empty if it can't be had.</summary>
    public static string PostgreSql { get; } = Environment.GetEnvironmentVariable("STOUT_POSTGRES") ?? "";

    /// <summary>Why PostgreSQL can't be had; null if it can.</summary>
    public static string? MissingPostgreSql => PostgreSql.Length == 0 ? "STOUT_POSTGRES names no server." : null;

    /// <summary>Why Azure Tables can't be had; null if they can.</summary>
    public static string? MissingAzureTables => AzureTables.Length == 0 ? "STOUT_AZURE_TABLES names no server." : null;

    /// <summary>A name that no other run has, for a schema or a table.</summary>
    public static string NewName() => $"orleans{Guid.NewGuid():N}"[..20];

    public static StoutBuilder UsePostgreSql(StoutBuilder stout, string schema) => stout.UsePostgreSql(options =>
    {
        options.ConnectionStrings = [PostgreSql];
        options.Schema = schema;
    });

    public static StoutBuilder UseAzureTables(StoutBuilder stout, string table) => stout.UseAzureTables(options =>
    {
        options.Accounts = [AzureTables];
        options.Table = table;
    });
}
