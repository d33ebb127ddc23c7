using Stout.Director.Actions;
using Stout.Director.Layouts;
using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Clusters;

/// <summary>A cluster in virtual time: servers, layout, copies and pool. An engine adds load and latency. Not thread-safe.</summary>
public sealed class SimulatedCluster : IElasticCluster
{
    private readonly ClusterSetup _setup;
    private readonly Xoshiro _random;
    private readonly List<SimulatedServer> _servers = [];
    private readonly List<SimulatedServer> _gone = [];
    private readonly SimulatedCopies _copies = new();
    private readonly Dictionary<long, int> _leases = [];
    private readonly VisitReports _reports;
    private int _lastServer;
    private Dictionary<int, SimulatedServer>? _byId;

    /// <summary>Creates a cluster without servers.</summary>
    /// <param name="setup">The cluster's properties.</param>
    public SimulatedCluster(ClusterSetup setup)
    {
        _setup = setup;
        _random = new Xoshiro((ulong)setup.Seed * 7919 + 17);
        Bins = setup.BinBytes.Count;
        _reports = new VisitReports(setup, _random);
        Layout = new Layout([.. Enumerable.Range(0, Bins).Select(_ => Array.Empty<int>())], 0, 0);
    }

    /// <summary>The number of bins.</summary>
    public int Bins { get; }

    /// <summary>The layout in force.</summary>
    public Layout Layout { get; private set; }

    /// <summary>The current virtual time in seconds.</summary>
    public double Now { get; private set; }

    /// <summary>The epoch of the last claim.</summary>
    public long Epoch { get; private set; }

    /// <summary>The number of bins that have been copied completely to another server.</summary>
    public long BinsCopied => _copies.BinsCopied;

    /// <summary>The bytes of the bins that <see cref="BinsCopied"/> counts.</summary>
    public long BytesCopied => _copies.BytesCopied;

    /// <summary>The number of servers leased so far, those of the beginning included.</summary>
    public int ServersLeased => _lastServer;

    /// <summary>The number of servers released so far.</summary>
    public int ServersReleased { get; private set; }

    /// <summary>The seconds by which servers that are leased from now on boot late; if infinite, these servers never boot.</summary>
    internal double BootDelay { get; set; }

    /// <summary>The measured share of slow gets in the present interval of 20 s, by which the baseline of a closed loop scales.</summary>
    internal double SlowShare { get; set; }

    internal ClusterSetup Setup => _setup;

    internal IReadOnlyList<SimulatedServer> Servers => _servers;

    internal IEnumerable<SimulatedServer> AllServers => _servers.Concat(_gone);

    internal IReadOnlyList<SimulatedCopy> Copies => _copies.Running;

    internal IReadOnlyDictionary<int, SimulatedServer> ById => _byId ??= _servers.ToDictionary(server => server.Id);

    /// <summary>Begins with live servers and a layout.</summary>
    /// <param name="types">The type of each server. The servers are numbered from 1.</param>
    /// <param name="replicas">The servers of each bin by index into <paramref name="types"/>.</param>
    /// <param name="now">The virtual time in seconds.</param>
    public void Begin(IReadOnlyList<string> types, IReadOnlyList<IReadOnlyList<int>> replicas, double now)
    {
        Now = now;
        _reports.Begin(now);
        foreach (var type in types)
            Add(type, 0).IsLive = true;
        Layout = new Layout([.. replicas.Select(servers => servers.Select(index => index + 1).ToArray())], 1, 0);
    }

    /// <summary>Advances the virtual time: servers boot and copies progress.</summary>
    /// <param name="now">The virtual time in seconds.</param>
    public void Tick(double now)
    {
        var seconds = now - Now;
        Now = now;
        foreach (var server in _servers)
        {
            if (!server.IsLive && now >= server.Boots)
                server.IsLive = true;
        }

        if (_copies.Running.Count > 0)
            Copy(seconds);
    }

    /// <summary>Kills a server at once: its replicas are lost, and its copies end.</summary>
    /// <param name="server">The server.</param>
    public void Kill(int server)
    {
        var killed = ById[server];
        _copies.End(copy => copy.From == killed || copy.To == killed);
        Change(Enumerable.Range(0, Bins).Where(bin => Layout.Holds(bin, server)), (bin, servers) => [.. servers.Where(id => id != server)], Layout.Epoch);
        Remove(killed);
    }

    /// <inheritdoc/>
    public ValueTask<long> ClaimAsync(CancellationToken cancellationToken)
    {
        Epoch++;
        _copies.End(_ => true);
        return ValueTask.FromResult(Epoch);
    }

    /// <inheritdoc/>
    public ValueTask<ClusterObservation> ObserveAsync(bool withReports, CancellationToken cancellationToken) =>
        ValueTask.FromResult(new ClusterObservation(
            Layout, [.. _servers.Select(server => server.State(Now))], [.. _copies.Running.Select(copy => copy.State())], withReports ? _reports.Make(Now, Layout, _servers) : [], _setup.BinBytes)
        {
            SlowShare = withReports && _setup.ReportsLatency ? SlowShare : null,
        });

    /// <inheritdoc/>
    public ValueTask<CommandOutcome> SendAsync(ClusterCommand command, long epoch, CancellationToken cancellationToken) =>
        ValueTask.FromResult(epoch < Epoch ? CommandOutcome.Fenced : Do(command, epoch) ? CommandOutcome.Accepted : CommandOutcome.Refused);

    internal void Count(int bin, double gets, double puts) => _reports.Count(bin, gets, puts);

    private bool Do(ClusterCommand command, long epoch) => command switch
    {
        CopyBins copy => Begin(copy, epoch),
        CancelCopy cancel => Cancel(cancel.Action),
        DropReplicas drop => Drop(drop, epoch),
        RecoverBins recover => Recover(recover, epoch),
        LeaseServer lease => Lease(lease),
        ReleaseServer release => Release(release.Server),
        _ => false,
    };

    private bool Begin(CopyBins command, long epoch)
    {
        if (_copies.Running.Any(copy => copy.Action == command.Action))
            return true;
        if (!ById.TryGetValue(command.From, out var from) || !ById.TryGetValue(command.To, out var to) || !from.IsLive || !to.IsLive)
            return false;
        var bins = command.Bins.Where(bin => !Layout.Holds(bin, to.Id)).ToList();
        if (bins.Exists(bin => !Layout.Holds(bin, from.Id)))
            return false;
        if (bins.Count > 0)
        {
            var noise = Math.Exp(to.Physics.CopyDeviation * _random.NextNormal());
            _copies.Begin(new SimulatedCopy(command.Action, epoch, from, to, bins, command.Rate, noise));
        }

        return true;
    }

    private bool Cancel(long action)
    {
        _copies.End(copy => copy.Action == action);
        return true;
    }

    private bool Drop(DropReplicas command, long epoch)
    {
        var held = command.Bins.Where(bin => Layout.Holds(bin, command.Server)).ToList();
        if (held.Exists(bin => !Layout.Replicas(bin).ToArray().Any(id => id != command.Server && ById.ContainsKey(id))))
            return false;
        Change(held, (_, servers) => [.. servers.Where(id => id != command.Server)], epoch);
        return true;
    }

    private bool Recover(RecoverBins command, long epoch)
    {
        if (!ById.TryGetValue(command.Server, out var server) || !server.IsLive)
            return false;
        Change(command.Bins.Where(bin => Layout.Replicas(bin).Length == 0), (_, _) => [command.Server], epoch);
        return true;
    }

    private bool Lease(LeaseServer command)
    {
        if (_leases.ContainsKey(command.Action))
            return true;
        if (_servers.Count >= _setup.PoolSize)
            return false;
        _leases[command.Action] = Add(command.Type, _setup.BootTime.TotalSeconds + BootDelay).Id;
        return true;
    }

    private bool Release(int id)
    {
        if (!ById.TryGetValue(id, out var server))
            return true;
        for (var bin = 0; bin < Bins; bin++)
        {
            if (Layout.Holds(bin, id))
                return false;
        }

        if (_copies.Running.Any(copy => copy.From == server || copy.To == server))
            return false;
        Remove(server);
        ServersReleased++;
        return true;
    }

    private SimulatedServer Add(string type, double boot)
    {
        var server = new SimulatedServer(++_lastServer, type, _setup.Physics[type], Now, Now + boot, _setup.Zones == 1 ? "" : FormattableString.Invariant($"zone {_lastServer % _setup.Zones}"));
        _servers.Add(server);
        _byId = null;
        return server;
    }

    private void Remove(SimulatedServer server)
    {
        server.Released = Now;
        _servers.Remove(server);
        _gone.Add(server);
        _byId = null;
    }

    private void Copy(double seconds)
    {
        var whole = _copies.Advance(seconds, _setup.BinBytes);
        if (whole.Count == 0)
            return;
        var added = whole.ToLookup(one => one.Bin, one => one.Server);
        // New replicas come last, so the owner of a bin changes only when its present owner drops the bin.
        Change(added.Select(bin => bin.Key), (bin, servers) => [.. servers.Except(added[bin]), .. added[bin]], whole[^1].Epoch);
    }

    private void Change(IEnumerable<int> bins, Func<int, int[], int[]> change, long epoch)
    {
        var changes = bins.Select(bin => KeyValuePair.Create(bin, change(bin, Layout.Replicas(bin).ToArray()))).ToList();
        if (changes.Count > 0)
            Layout = Layout.With(changes, epoch);
    }
}
