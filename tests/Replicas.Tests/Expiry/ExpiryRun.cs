using System.Diagnostics;
using System.Globalization;
using Linearizability;
using Npgsql;
using Replicas.Tests.Torture;
using ReplicaUnderTest;
using Stout.Tests.Shared;

namespace Replicas.Tests.Expiry;

/// <summary>Runs three replicas whose clocks differ and jump, clients of registers that expire, sweeps, and faults. Then checks the history.</summary>
internal static class ExpiryRun
{
    // With so many registers, each one is left unchanged for longer than the skew now and then, so that sweeps delete its value.
    private const int Registers = 200;

    // Two sweeps of a replica end within seconds. The bound, 2,000 x 50 ms, allows for a busy machine.
    private const int MostLooks = 2_000;

    private static readonly TimeSpan Skew = TimeSpan.FromSeconds(1);

    /// <param name="options">The length of the run and the number of faults.</param>
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

    /// <summary>Waits until the sweeps have deleted all registers that have expired by <paramref name="now"/>.</summary>
    /// <returns>The number of deleted registers, and of expired registers that are not deleted.</returns>
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
/// <param name="Violations">
/// Registers without an order of their operations in which each value is seen until it expires by the reading replica's clock. Includes registers whose
/// check has reached its bound.
/// </param>
/// <param name="Errors">Errors that no caller should see.</param>
/// <param name="Swept">The number of registers that are deleted by sweeps at the end.</param>
/// <param name="Left">The number of registers that have expired and that no sweep has deleted.</param>
/// <param name="Figures">The figures for the test's output.</param>
internal sealed record ExpiryReport(IReadOnlyList<Verdict> Violations, IReadOnlyList<string> Errors, long Swept, long Left, string Figures);
