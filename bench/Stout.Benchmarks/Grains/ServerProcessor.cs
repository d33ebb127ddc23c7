using System.Globalization;
using Npgsql;

namespace Stout.Benchmarks.Grains;

/// <summary>
/// The processor time of one PostgreSQL server on this machine: of its first process and of all processes that it has started, including ended ones.
/// </summary>
internal sealed class ServerProcessor(int server)
{
    /// <summary>The unit of the times in /proc: Linux counts in hundredths of a second.</summary>
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(10);

    public TimeSpan Used => Tick * Directory.EnumerateDirectories("/proc")
        .Select(folder => int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out var id) ? id : 0)
        .Where(id => id > 0)
        .Sum(id => FieldsOf(id) is { } fields && (id == server || ParentOf(fields) == server) ? TicksOf(fields, id == server) : 0);

    /// <summary>Finds the server that a connection string names.</summary>
    /// <exception cref="InvalidOperationException">The server does not run on this machine.</exception>
    public static async Task<ServerProcessor> OfAsync(string connectionString)
    {
        await using var connection = new NpgsqlConnection(connectionString);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand("SELECT pg_backend_pid()", connection);
        var backend = (int)(await command.ExecuteScalarAsync())!;
        return FieldsOf(backend) is { } fields
            ? new ServerProcessor(ParentOf(fields))
            : throw new InvalidOperationException("The PostgreSQL server runs on another machine, so its processor time can't be read.");
    }

    /// <summary>The fields behind the name in a process's stat file: state, parent and so on. Null if the process has ended.</summary>
    private static string[]? FieldsOf(int process)
    {
        try
        {
            var text = File.ReadAllText($"/proc/{process}/stat");
            return text[(text.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (IOException)
        {
            return null;
        }
    }

    private static int ParentOf(string[] fields) => int.Parse(fields[1], CultureInfo.InvariantCulture);

    // Fields 11 and 12 are the process's own user and system time. Fields 13 and 14 are those of its children that have ended.
    private static long TicksOf(string[] fields, bool withEnded) =>
        fields[11..(withEnded ? 15 : 13)].Sum(ticks => long.Parse(ticks, CultureInfo.InvariantCulture));
}
