using System.Diagnostics;
using System.Globalization;
using Linearizability;
using Npgsql;
using Replicas.Tests.Torture;
using ReplicaUnderTest;
using Stout.Tests.Shared;

namespace Replicas.Tests.Expiry;

/// <summary>Three replicas whose clocks are apart and jump, clients of registers that expire, sweeps, and faults; then the checks.</summary>
internal static class ExpiryRun
{
    // Many registers: each is left alone for longer than the skew now and then, so that sweeps delete its value.
    private const int Registers = 200;

    // Two sweeps of a replica end within seconds; the bound is for a machine that is busy with other things.
    private const int MostLooks = 2_000;

    private static readonly TimeSpan Skew = TimeSpan.FromSeconds(1);

    /// <param name="options">How long and how hard.</param>
    /// <param name="server">The database server, which the run may kill.</param>
    public static async Task<ExpiryReport> RunAsync(TortureOptions options, ServerScript server)
    {
        await using var cluster = await Cluster.StartAsync(options, server, Settings);
        var keys = new RegisterPool(Registers);
        var clients = new ExpiringClients(cluster.Replicas, keys, Skew, options.Seed);
        var began = Stopwatch.GetTimestamp();
        var faults = await cluster.TortureAsync(clients);
        var ran = Stopwatch.GetElapsedTime(began);
        foreach (var replica in cluster.Replicas)
            await Task.WhenAll(keys.All.Select(key => clients.ReadAsync(replica, key)));
        var verdicts = LinearizabilityChecker.Check(clients.History);
        var (swept, left) = options.Bug == PlantedBug.None ? await SweptAsync(cluster, MachineClock.Now.UtcTicks) : (0, 0);
        return new ExpiryReport(
            [.. verdicts.Where(verdict => verdict.Result != Linearizable.Yes)],
            clients.Errors,
            swept,
            left,
            string.Create(
                CultureInfo.InvariantCulture,
                $"seed {options.Seed}: {clients.Answered} requests in {ran.TotalSeconds:0} s, {clients.Unknown} of unknown outcome, {clients.NotDone} not done; {faults}, connections cut {cluster.Cuts}; {verdicts.Count} registers, {swept} swept in the end"));
    }

    private static Dictionary<string, string> Settings(int replica) => new()
    {
        ["REPLICA_SKEW"] = Skew.Ticks.ToString(CultureInfo.InvariantCulture),
        ["REPLICA_CLOCK"] = ((replica - 1) * Skew.Ticks / 2).ToString(CultureInfo.InvariantCulture),
    };

    /// <summary>Waits until the sweeps have deleted all that has expired by now.</summary>
    /// <returns>How many registers are deleted, and how many have expired and are not.</returns>
    private static async Task<(long Swept, long Left)> SweptAsync(Cluster cluster, long now)
    {
        await using var database = new NpgsqlConnection(cluster.Database);
        await database.OpenAsync();
        await using var command = new NpgsqlCommand(
            $"""
            SELECT count(*) FILTER (WHERE deleted_at IS NOT NULL), count(*) FILTER (WHERE split_part(convert_from(value, 'UTF8'), '@', 2)::bigint <= {now})
            FROM {cluster.Schema}.header, pg_sleep(0.05)
            """,
            database);
        for (var look = 1; ; look++)
        {
            await using var row = await command.ExecuteReaderAsync();
            await row.ReadAsync();
            if (row.GetInt64(1) == 0 || look == MostLooks)
                return (row.GetInt64(0), row.GetInt64(1));
        }
    }
}

/// <summary>The results of a run.</summary>
/// <param name="Violations">Registers that have no order of their operations in which values are seen until they expire, by the clock of each replica, or whose check has reached its bound.</param>
/// <param name="Errors">Errors that no caller should see.</param>
/// <param name="Swept">Registers that sweeps have deleted, in the end.</param>
/// <param name="Left">Registers that have expired, and that no sweep has deleted.</param>
/// <param name="Figures">For the test's output.</param>
internal sealed record ExpiryReport(IReadOnlyList<Verdict> Violations, IReadOnlyList<string> Errors, long Swept, long Left, string Figures);
