using Stout.Director.Actions;
using Stout.Director.Layouts;
using Stout.Director.Loads;

namespace Stout.Director.Experiments.Truth;

/// <summary>
/// Processes of the document service as an elastic cluster. Each process holds all documents, so a move changes only the server that clients ask; a copy waits
/// for the time of its bytes. A server boots for as long as the policy says.
/// </summary>
internal sealed class RealCluster(TimeProvider time) : IElasticCluster, IIntentStore, IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly long _start = time.GetTimestamp();
    private readonly Dictionary<int, Server> _servers = [];
    private readonly Dictionary<long, int> _leases = [];
    private readonly List<(CopyBins Command, TimeSpan End)> _copies = [];
    private readonly List<Task> _boots = [];
    private readonly CancellationTokenSource _stop = new();
    private IReadOnlyList<DirectorAction> _intents = [];
    private Layout _layout = new([.. Enumerable.Range(0, TruthSetup.Bins).Select(_ => Array.Empty<int>())], 0, 0);
    private TimeSpan _reported;
    private long _epoch;
    private long _sequence;
    private int _last;

    /// <summary>Writes the documents to a server that boots.</summary>
    public Func<Uri, CancellationToken, Task> FillAsync { get; set; } = (_, _) => Task.CompletedTask;

    /// <summary>The share of slow reads since the last call.</summary>
    public Func<double> TakeSlowShare { get; set; } = () => 0;

    public int Servers
    {
        get
        {
            lock (_lock)
                return _servers.Count;
        }
    }

    private TimeSpan Now => time.GetElapsedTime(_start);

    /// <summary>Begins with live servers, over which the bins are spread by their shares.</summary>
    public async Task BeginAsync(int servers, double[] shares, CancellationToken cancellationToken)
    {
        for (var i = 0; i < servers; i++)
            await BootAsync(Add(), TimeSpan.Zero, cancellationToken);
        var loads = new double[servers + 1];
        var replicas = new int[shares.Length][];
        foreach (var bin in Enumerable.Range(0, shares.Length).OrderByDescending(bin => shares[bin]))
        {
            var least = Enumerable.Range(1, servers).MinBy(server => loads[server]);
            (replicas[bin], loads[least]) = ([least], loads[least] + shares[bin]);
        }

        _layout = new Layout(replicas, 1, 0);
        _reported = Now;
    }

    /// <summary>The servers that a request goes to, which it is counted at: a read goes to one of its bin's, a write to all.</summary>
    public IReadOnlyList<Uri> Serve(int bin, bool isRead, int choice)
    {
        lock (_lock)
        {
            var holders = _layout.Replicas(bin).ToArray();
            List<Uri> asked = [];
            foreach (var id in isRead ? [holders[choice % holders.Length]] : holders)
            {
                var server = _servers[id];
                if (isRead)
                    server.Visits.Get(bin);
                else
                    server.Visits.Put(bin);
                asked.Add(server.Process!.Address);
            }

            return asked;
        }
    }

    public ValueTask<long> ClaimAsync(CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            _copies.Clear();
            return ValueTask.FromResult(++_epoch);
        }
    }

    public ValueTask<ClusterObservation> ObserveAsync(bool withReports, CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            Copy();
            return ValueTask.FromResult(new ClusterObservation(
                _layout,
                [.. _servers.Select(server => new ServerState(server.Key, TruthSetup.Type, server.Value.IsLive ? ServerPhase.Live : ServerPhase.Booting, Now - server.Value.Leased))],
                [.. _copies.Select(copy => new RunningCopy(copy.Command.Action, copy.Command.From, copy.Command.To, copy.Command.Bins))],
                withReports ? Report() : [],
                [.. Enumerable.Repeat(TruthSetup.BinBytes, TruthSetup.Bins)])
            {
                SlowShare = withReports ? TakeSlowShare() : null,
            });
        }
    }

    public ValueTask<CommandOutcome> SendAsync(ClusterCommand command, long epoch, CancellationToken cancellationToken)
    {
        lock (_lock)
            return ValueTask.FromResult(epoch < _epoch ? CommandOutcome.Fenced : Do(command, epoch) ? CommandOutcome.Accepted : CommandOutcome.Refused);
    }

    public ValueTask WriteAsync(long epoch, IReadOnlyList<DirectorAction> actions, CancellationToken cancellationToken)
    {
        _intents = actions;
        return ValueTask.CompletedTask;
    }

    public ValueTask<IReadOnlyList<DirectorAction>> ReadAsync(long epoch, CancellationToken cancellationToken) => ValueTask.FromResult(_intents);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await Task.WhenAll(_boots).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        foreach (var server in _servers.Values)
            server.Process?.Dispose();
        _stop.Dispose();
    }

    private bool Do(ClusterCommand command, long epoch)
    {
        Copy();
        switch (command)
        {
            case CopyBins copy:
                var isPossible = IsLive(copy.From) && IsLive(copy.To) && copy.Bins.All(bin => _layout.Holds(bin, copy.From));
                if (isPossible && !_copies.Exists(one => one.Command.Action == copy.Action) && copy.Bins.Any(bin => !_layout.Holds(bin, copy.To)))
                    _copies.Add((copy, Now + TimeSpan.FromSeconds(copy.Bins.Count * TruthSetup.BinBytes / copy.Rate)));
                return isPossible;
            case CancelCopy:
                _copies.RemoveAll(copy => copy.Command.Action == command.Action);
                return true;
            case DropReplicas drop:
                if (drop.Bins.Any(bin => _layout.Holds(bin, drop.Server) && _layout.Replicas(bin).Length == 1))
                    return false;
                _layout = _layout.With(drop.Bins.Select(bin => KeyValuePair.Create(bin, _layout.Replicas(bin).ToArray().Where(id => id != drop.Server).ToArray())), epoch);
                return true;
            case LeaseServer lease:
                if (_leases.ContainsKey(lease.Action))
                    return true;
                if (_servers.Count >= TruthSetup.MostServers)
                    return false;
                var server = Add();
                _leases[lease.Action] = server;
                _boots.Add(BootAsync(server, TruthSetup.Policy.BootTime, _stop.Token));
                return true;
            case ReleaseServer release:
                if (!_servers.TryGetValue(release.Server, out var gone))
                    return true;
                if (gone.Process is null || Enumerable.Range(0, TruthSetup.Bins).Any(bin => _layout.Holds(bin, release.Server)) || _copies.Exists(copy => copy.Command.To == release.Server))
                    return false;
                _servers.Remove(release.Server);
                _boots.Add(EndAsync(gone.Process));
                return true;
            default:
                return false;
        }
    }

    private bool IsLive(int server) => _servers.TryGetValue(server, out var known) && known.IsLive;

    private int Add()
    {
        lock (_lock)
        {
            _servers[++_last] = new Server(Now);
            return _last;
        }
    }

    private async Task BootAsync(int id, TimeSpan atLeast, CancellationToken cancellationToken)
    {
        var boots = Task.Delay(atLeast, time, cancellationToken);
        var process = await ServiceProcess.StartAsync(0, [], cancellationToken);
        lock (_lock)
            _servers[id].Process = process;
        await FillAsync(process.Address, cancellationToken);
        await boots;
        lock (_lock)
            _servers[id].IsLive = true;
    }

    // Requests that are under way at a released server are answered before it ends.
    private async Task EndAsync(ServiceProcess process)
    {
        await Task.Delay(TimeSpan.FromSeconds(2), time, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        process.Dispose();
    }

    private void Copy()
    {
        foreach (var (copy, _) in _copies.Where(copy => copy.End <= Now))
            _layout = _layout.With(copy.Bins.Where(bin => !_layout.Holds(bin, copy.To)).Select(bin => KeyValuePair.Create(bin, (int[])[.. _layout.Replicas(bin), copy.To])), copy.Action >> 24);
        _copies.RemoveAll(copy => copy.End <= Now);
    }

    private List<ServerReport> Report()
    {
        var elapsed = Now - _reported;
        _reported = Now;
        _sequence++;
        return
        [
            .. _servers.Where(server => server.Value.IsLive).Select(server => new ServerReport(
                server.Key, _sequence, TimeSpan.Zero, server.Value.Visits.Harvest(Enumerable.Range(0, TruthSetup.Bins).Where(bin => _layout.Holds(bin, server.Key)), elapsed))),
        ];
    }

    private sealed class Server(TimeSpan leased)
    {
        public TimeSpan Leased => leased;

        public bool IsLive { get; set; }

        public ServiceProcess? Process { get; set; }

        public VisitCounter Visits { get; } = new(TruthSetup.Bins);
    }
}
