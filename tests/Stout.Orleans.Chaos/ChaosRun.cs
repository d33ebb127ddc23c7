using System.Diagnostics;
using System.Globalization;
using Linearizability;
using Stout.Orleans.Chaos.Checks;
using Stout.Orleans.Chaos.Faults;
using Stout.Orleans.Chaos.Load;

namespace Stout.Orleans.Chaos;

/// <summary>A run: clients send requests to two clusters while faults happen, and then the answers are checked.</summary>
internal sealed class ChaosRun : IDisposable
{
    private readonly ChaosCluster _cluster;
    private readonly ChaosOptions _options;
    private readonly string _history;
    private readonly HistoryRecorder _recorder;
    private readonly RegisterPool _documents;
    private readonly Clients _clients;
    private readonly FaultPlan _faults;
    private readonly Observations _observations = new();

    private ChaosRun(ChaosCluster cluster, ChaosOptions options)
    {
        (_cluster, _options) = (cluster, options);
        _history = Path.GetTempFileName();
        File.Delete(_history);
        _recorder = new HistoryRecorder(_history);
        _documents = new RegisterPool(options.Documents);
        _clients = new Clients(cluster, _documents, _observations, _recorder, options.Seed);
        _faults = new FaultPlan(new FaultScene(cluster, _clients, new Random(options.Seed), Math.Max(8, options.Requests / (options.Faults + 1))), options.Fault, options.Log);
    }

    /// <summary>Runs on a cluster that is not started yet.</summary>
    public static async Task<ChaosReport> RunAsync(ChaosCluster cluster, ChaosOptions options)
    {
        using var run = new ChaosRun(cluster, options);
        return await run.RunAsync();
    }

    public void Dispose()
    {
        _recorder.Dispose();
        File.Delete(_history);
    }

    private async Task<ChaosReport> RunAsync()
    {
        await _cluster.StartAsync();
        var began = Stopwatch.GetTimestamp();
        using var over = new CancellationTokenSource(_options.AtMost);
        using var stop = new CancellationTokenSource();
        var asking = _clients.RunAsync(_options.Clients, stop.Token);
        await EndOfEither(_faults.RunAsync(_options.Faults, over.Token), asking);
        while (_clients.Requests.Ended < _options.Requests && !over.IsCancellationRequested)
            await EndOfEither(_clients.Requests.MoreAsync(100), asking);
        await stop.CancelAsync();
        await asking;
        var ran = Stopwatch.GetElapsedTime(began);
        foreach (var silo in _cluster.All)
            _observations.AddSaves(await silo.LeaveAsync());
        return await JudgeAsync(ran);
    }

    /// <summary>
    /// Waits for the task, or for the clients if they end first. Since the clients run until they are told to stop, they have failed in that case, and
    /// their error is thrown.
    /// </summary>
    private static async Task EndOfEither(Task task, Task clients) => await await Task.WhenAny(task, clients);

    private async Task<ChaosReport> JudgeAsync(TimeSpan ran)
    {
        var began = Stopwatch.GetTimestamp();
        var contradictions = new List<string>();
        var (stale, saves, refused) = (0, 0, 0);
        await using (var store = await StoredDocuments.OpenAsync(_cluster.Connect()))
        {
            foreach (var document in _documents.All)
            {
                // The history of each document ends with a read of the store itself.
                var read = _recorder.Invoke("store", document, OperationKind.Read);
                var log = await store.ReadAsync(document);
                _recorder.Return(read, log.Count == 0 ? null : log[^1]);
                var check = new DocumentCheck(_observations[document], log);
                contradictions.AddRange(check.Violations().Select(violation => $"{document}: {violation}"));
                stale += check.CountStale();
                saves += _observations[document].Saves.Count(save => !save.IsRefused);
                refused += _observations[document].Saves.Count(save => save.IsRefused);
            }
        }

        var history = History.Read(_history);
        var verdicts = LinearizabilityChecker.Check(history);
        var open = history.Count(operation => operation.IsOpen);
        return new ChaosReport
        {
            Verdicts = verdicts,
            Contradictions = contradictions,
            Errors = _clients.Errors,
            Fenced = _clients.Counts.Fenced,
            EndSaves = saves,
            Faults = _faults.Made,
            Figures = string.Create(
                CultureInfo.InvariantCulture,
                $"""
                seed {_options.Seed}: {_clients.Requests.Ended} requests in {ran.TotalSeconds:0} s: {_clients.Counts}
                {_faults.Made} faults: {_faults}
                {_cluster.Figures}{verdicts.Count} documents, {open} open operations, {stale} stale reads from memory, {saves} values saved as silos left, {refused} refused or unknown; checked in {Stopwatch.GetElapsedTime(began).TotalSeconds:0.0} s
                """),
        };
    }
}
