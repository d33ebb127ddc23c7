using Microsoft.Extensions.DependencyInjection;
using Stout.Hosting;

namespace Stout.Orleans.Tests;

/// <summary>The server that STOUT_POSTGRES names.</summary>
internal static class PostgreSqlServer
{
    private static readonly string ConnectionString = Environment.GetEnvironmentVariable("STOUT_POSTGRES") ?? "";

    public static string? Missing => ConnectionString.Length == 0 ? "STOUT_POSTGRES names no server." : null;

    public static StoutBuilder Use(StoutBuilder stout, string schema) => stout.UsePostgreSql(options =>
    {
        options.ConnectionStrings = [ConnectionString];
        options.Schema = schema;
    });
}
