using System.Diagnostics;
using System.Globalization;
using System.Net;
using Linearizability;
using Npgsql;
using ReplicaUnderTest;
using Stout.Tests.Shared;

namespace Replicas.Tests.Torture;

/// <summary>Three replicas on one database, clients, and faults; then the checks.</summary>
internal sealed class TortureRun : IAsyncDisposable
{
    private readonly TortureOptions _options;
    private readonly ServerScript _server;
    private readonly string _history;
    private readonly HistoryRecorder _recorder;
    private readonly TcpProxy _network;
    private readonly ReplicaProcess[] _replicas;
    private readonly RegisterPool _keys;
    private readonly Counters _counters;
    private readonly Clients _clients;
    private readonly Random _cutRandom;
    private int _cuts;

    private TortureRun(TortureOptions options, ServerScript server, NpgsqlConnectionStringBuilder store, string folder)
    {
        _options = options;
        _server = server;
        _history = Path.Combine(folder, $"history-{Guid.NewGuid():N}.jsonl");
        _recorder = new HistoryRecorder(_history);
        _cutRandom = new Random(options.Seed);
        _network = new TcpProxy(IPEndPoint.Parse($"{store.Host}:{store.Port}"));
        (store.Host, store.Port) = ("127.0.0.1", _network.Port);
        var environment = new Dictionary<string, string>
        {
            ["REPLICA_STORE"] = store.ConnectionString,
            ["REPLICA_SCHEMA"] = $"torture_{Guid.NewGuid():N}",
            ["REPLICA_BUG"] = options.Bug.ToString(),
        };
        _replicas = [.. Enumerable.Range(0, options.Replicas).Select(_ => new ReplicaProcess(environment))];
        _keys = new RegisterPool(options.Registers);
        _counters = new Counters(options.Counters);
        _clients = new Clients(_replicas, _keys, _counters, _recorder, options.Seed);
    }

    /// <param name="options">How long and how hard.</param>
    /// <param name="server">The database server, which the run may kill.</param>
    /// <param name="folder">Where the history is put.</param>
    public static async Task<TortureReport> RunAsync(TortureOptions options, ServerScript server, string folder)
    {
        await using var run = new TortureRun(options, server, new NpgsqlConnectionStringBuilder(await server.StartAsync()), folder);
        return await run.RunAsync();
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var replica in _replicas)
            await replica.DisposeAsync();
        await _network.DisposeAsync();
        _recorder.Dispose();
        File.Delete(_history);
    }

    private async Task<TortureReport> RunAsync()
    {
        var began = Stopwatch.GetTimestamp();
        // The first makes the schema.
        foreach (var replica in _replicas)
            await replica.StartAsync();
        _network.OnAnswer = _ => Cut(_options.CutOneIn);
        _network.OnRequest = _ => Cut(2 * _options.CutOneIn);
        using var stop = new CancellationTokenSource();
        var asking = _clients.RunAsync(_options.Clients, stop.Token);
        var faults = new Faults(_replicas, _server, _clients, new Random(_options.Seed));
        await EndOfEither(faults.RunAsync(_options.Faults, Math.Max(2, _options.Operations / (_options.Faults + 1))), asking);
        if (_options.Operations > _clients.Answered)
            await EndOfEither(_clients.AnsweredAsync(_options.Operations - _clients.Answered), asking);
        await stop.CancelAsync();
        await asking;
        _network.OnAnswer = _network.OnRequest = _ => TcpProxy.Verdict.Pass;
        return await JudgeAsync(faults, Stopwatch.GetElapsedTime(began));
    }

    /// <summary>The clients run until they are told to stop: if they end before, they have failed.</summary>
    private static async Task EndOfEither(Task task, Task clients) => await await Task.WhenAny(task, clients);

    private async Task<TortureReport> JudgeAsync(Faults faults, TimeSpan ran)
    {
        // Reads are of the store, so each replica has to see what was acknowledged by any.
        foreach (var replica in _replicas)
            await Task.WhenAll(_keys.All.Select(key => _clients.ReadAsync(replica, key)));
        var wrong = new List<string>();
        for (var counter = 0; counter < _counters.Count; counter++)
        {
            var stored = await _replicas[0].AskAsync(new Request(0, RequestKind.Count, Counters.Key(counter)));
            if (stored is not { Outcome: Outcome.Done })
                wrong.Add($"{Counters.Key(counter)} can't be read: {stored?.Error}");
            else if (_counters.Judge(counter, stored.Seen is null ? 0 : long.Parse(stored.Seen, CultureInfo.InvariantCulture)) is { } fault)
                wrong.Add(fault);
        }

        var began = Stopwatch.GetTimestamp();
        var history = History.Read(_history);
        var verdicts = LinearizabilityChecker.Check(history);
        var open = history.Count(operation => operation.IsOpen);
        return new TortureReport
        {
            Verdicts = verdicts,
            WrongCounters = wrong,
            Errors = _clients.Errors,
            Figures = string.Create(
                CultureInfo.InvariantCulture,
                $"seed {_options.Seed}: {_clients.Answered} requests in {ran.TotalSeconds:0} s, {_clients.Unknown} of unknown outcome, {_clients.NotDone} not done; {faults}, connections cut {_cuts}; {verdicts.Count} registers, {open} open operations, checked in {Stopwatch.GetElapsedTime(began).TotalSeconds:0.0} s"),
        };
    }

    private TcpProxy.Verdict Cut(int oneIn)
    {
        lock (_cutRandom)
        {
            if (_cutRandom.Next(oneIn) != 0)
                return TcpProxy.Verdict.Pass;
            _cuts++;
            return TcpProxy.Verdict.Cut;
        }
    }
}
