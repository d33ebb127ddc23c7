using System.Diagnostics;
using System.Globalization;
using Npgsql;
using Stout.Tests.Shared;

namespace Stout.PostgreSql.Tests;

/// <summary>PostgreSQL's own shell, as a person would use it.</summary>
internal static class Psql
{
    public static string SchemaFile { get; } = Find();

    /// <returns>The output: rows without decoration, columns divided by <c>|</c>.</returns>
    public static async Task<string> RunAsync(string connectionString, params string[] arguments)
    {
        SystemPrograms.Require("psql");
        var settings = new NpgsqlConnectionStringBuilder(connectionString);
        var start = new ProcessStartInfo("psql") { RedirectStandardOutput = true, RedirectStandardError = true };
        string[] all = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", .. arguments];
        foreach (var argument in all)
            start.ArgumentList.Add(argument);
        (start.Environment["PGHOST"], start.Environment["PGPORT"]) = (settings.Host, settings.Port.ToString(CultureInfo.InvariantCulture));
        (start.Environment["PGUSER"], start.Environment["PGPASSWORD"], start.Environment["PGDATABASE"]) = (settings.Username, settings.Password, settings.Database);
        start.Environment["PGCLIENTENCODING"] = "UTF8";
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, await errors);
        return output;
    }

    private static string Find()
    {
        var directory = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(directory, "Stout.sln")))
            directory = Path.GetDirectoryName(directory)!;
        return Path.Combine(directory, "deploy", "schemas", "postgresql", "schema.sql");
    }
}
