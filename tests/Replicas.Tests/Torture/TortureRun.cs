using System.Diagnostics;
using System.Globalization;
using Linearizability;
using ReplicaUnderTest;
using Stout.Tests.Shared;

namespace Replicas.Tests.Torture;

/// <summary>Runs three replicas on one database, clients, and faults. Then checks the history and the counters.</summary>
internal static class TortureRun
{
    private const int Registers = 6;
    private const int CountersInAll = 3;

    /// <param name="options">The length of the run and the number of faults.</param>
    /// <param name="server">The database server, which the run may kill.</param>
    /// <param name="folder">The folder for the history.</param>
    public static async Task<TortureReport> RunAsync(TortureOptions options, ServerScript server, string folder)
    {
        var path = Path.Combine(folder, $"history-{Guid.NewGuid():N}.jsonl");
        try
        {
            await using var cluster = await Cluster.StartAsync(options, server);
            using var recorder = new HistoryRecorder(path);
            var (keys, counters) = (new RegisterPool(Registers), new Counters(CountersInAll));
            var clients = new Clients(cluster.Replicas, keys, counters, recorder, options.Seed);
            var began = Stopwatch.GetTimestamp();
            var faults = await cluster.TortureAsync(clients);
            var ran = Stopwatch.GetElapsedTime(began);

            // The replicas read from the store, so each one must see all changes that any replica has acknowledged.
            foreach (var replica in cluster.Replicas)
                await Task.WhenAll(keys.All.Select(key => clients.ReadAsync(replica, key)));
            var wrong = await JudgeAsync(counters, cluster.Replicas[0]);
            began = Stopwatch.GetTimestamp();
            var history = History.Read(path);
            var verdicts = LinearizabilityChecker.Check(history);
            var open = history.Count(operation => operation.IsOpen);
            return new TortureReport
            {
                Verdicts = verdicts,
                WrongCounters = wrong,
                Errors = clients.Errors,
                Figures = string.Create(
                    CultureInfo.InvariantCulture,
                    $"seed {options.Seed}: {clients.Answered} requests in {ran.TotalSeconds:0} s, {clients.Unknown} of unknown outcome, {clients.NotDone} not done; {faults}, connections cut {cluster.Cuts}; {verdicts.Count} registers, {open} open operations, checked in {Stopwatch.GetElapsedTime(began).TotalSeconds:0.0} s"),
            };
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static async Task<List<string>> JudgeAsync(Counters counters, ReplicaProcess replica)
    {
        var wrong = new List<string>();
        for (var counter = 0; counter < counters.Count; counter++)
        {
            var stored = await replica.AskAsync(new Request(0, RequestKind.Count, Counters.Key(counter)));
            if (stored is not { Outcome: Outcome.Done })
                wrong.Add($"{Counters.Key(counter)} can't be read: {stored?.Error}");
            else if (counters.Judge(counter, stored.Seen is null ? 0 : long.Parse(stored.Seen, CultureInfo.InvariantCulture)) is { } fault)
                wrong.Add(fault);
        }

        return wrong;
    }
}
