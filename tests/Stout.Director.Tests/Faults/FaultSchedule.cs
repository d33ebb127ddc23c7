using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Physics;

namespace Stout.Director.Tests.Faults;

/// <summary>One seeded schedule of Directors, servers and pool: a time with faults, then a time of rest, in which the planned layout must be reached.</summary>
internal sealed class FaultSchedule
{
    private const int Period = 20;
    private const int Tick = 5;
    private const int FaultyPeriods = 14;
    private const int RestPeriods = 3;

    // After this many periods without faults, cost and overload are those of a run without faults.
    private const int QuietPeriods = 5;
    private const int Bins = 8;

    // Copies are so slow that they last several ticks, and sources and targets can die during a copy.
    private static readonly DirectorPolicy Policy = Some.Plain with
    {
        Standbys = 1,
        FillLimit = 0.95,
        BootTime = TimeSpan.FromSeconds(10),
        ChargeInterval = TimeSpan.FromMinutes(2),
        CopyRate = 5e5,
        CancelAfter = TimeSpan.FromSeconds(40),
    };

    private readonly List<string> _violations = [];
    private readonly FaultDice _dice;
    private readonly SimulatedCluster _cluster;
    private readonly FaultyIntents _intents;
    private readonly FaultyCluster _faulty;
    private readonly PlantedBug _bug;
    private readonly List<(DirectorRunner Runner, DirectorCore Core, TimeSpan Clock)> _directors = [];
    private readonly double[] _gets = new double[Bins];
    private readonly Random _loads;
    private readonly bool _isDisturbed;
    private DirectorCore? _newest;
    private bool _newestIsGone;
    private readonly HashSet<long> _plannedLater = [];
    private int _plansAtRest = int.MinValue;
    private int _downFor;

    private FaultSchedule(int seed, PlantedBug bug, bool isDisturbed = true)
    {
        (_bug, _isDisturbed) = (bug, isDisturbed);
        _dice = new FaultDice(seed);
        // The loads have random numbers of their own, so that they are the same with and without faults.
        _loads = new Random(seed + 1_000_000);
        _cluster = new SimulatedCluster(new ClusterSetup
        {
            Physics = new Dictionary<string, ServerPhysics> { [Some.Type.Name] = new() { CopyDeviation = 0.3, CopyCapacity = 1e8 } },
            BinBytes = [.. Enumerable.Repeat(Some.Megabyte, Bins)],
            BootTime = Policy.BootTime,
            ReadFanOut = 2,
            Seed = seed,
        });
        _intents = new FaultyIntents(_dice, bug);
        _faulty = new FaultyCluster(_cluster, _intents, _dice, bug, _violations);
        var servers = 3 + seed % 3;
        _cluster.Begin([.. Enumerable.Repeat(Some.Type.Name, servers)], [.. Enumerable.Range(0, Bins).Select(bin => new[] { bin % servers, (bin + 1) % servers })], 0);
    }

    /// <summary>Runs a schedule.</summary>
    public static FaultResult Run(int seed, PlantedBug bug = PlantedBug.None)
    {
        var schedule = new FaultSchedule(seed, bug);
        schedule.Run();
        return schedule.Result();
    }

    /// <summary>Runs a schedule, or its loads without faults, until some quiet periods after the last fault.</summary>
    public static FaultResult RunUntilQuiet(int seed, bool isDisturbed)
    {
        var schedule = new FaultSchedule(seed, PlantedBug.None, isDisturbed);
        schedule.Start();
        schedule.Run(FaultyPeriods + QuietPeriods);
        return schedule.Result();
    }

    private void Run()
    {
        Start();
        Run(FaultyPeriods + RestPeriods);
        if (_violations.Count == 0)
            CheckRest();
    }

    private FaultResult Result()
    {
        var load = new Dictionary<int, double>();
        for (var bin = 0; bin < Bins; bin++)
        {
            var replicas = _cluster.Layout.Replicas(bin);
            foreach (var server in replicas)
                load[server] = load.GetValueOrDefault(server) + Some.Type.SteadyState.Utilization(_gets[bin] * Math.Min(2, replicas.Length) / replicas.Length, _gets[bin] * 0.05);
        }

        var servers = _cluster.ObserveAsync(false, default).AsTask().GetAwaiter().GetResult().Servers.Count;
        return new FaultResult(_violations, _dice.Crashes, servers, load.Values.Sum(one => Math.Max(0, one - 1)));
    }

    private void Run(int periods)
    {
        for (var period = 0; period < periods; period++)
        {
            _dice.IsOn = _isDisturbed && period < FaultyPeriods;
            // A server that never boots is a fault until it is given up, 80 s after its lease.
            _dice.MayOutlast = period < FaultyPeriods - QuietPeriods || periods == FaultyPeriods + RestPeriods;
            if (period == FaultyPeriods)
                _plansAtRest = 0;
            if (period < FaultyPeriods && period % 3 == 0)
                ChangeLoad();
            // A Director of an older epoch, without work, does not notice that the newest one has crashed. The newest one's host starts it again.
            if (!_dice.IsOn && (_directors.Count == 0 || _newestIsGone))
                Start();
            for (var tick = 0; tick < Period / Tick; tick++)
                Step(period * Period + (tick + 1) * Tick, isPlan: tick == Period / Tick - 1);
            if (_violations.Count > 0)
                return;
        }
    }

    private void Step(int now, bool isPlan)
    {
        for (var bin = 0; bin < Bins; bin++)
            _cluster.Count(bin, _gets[bin] * Tick, _gets[bin] * Tick * 0.05);
        _cluster.Tick(now);
        _faulty.Deliver();
        MayKill();
        if (_directors.Count == 0 && (--_downFor <= 0 || !_dice.IsOn))
            Start();
        // A second Director claims the cluster while the first one goes on.
        else if (_directors.Count == 1 && _dice.Roll(0.01))
            Start();
        foreach (var director in _directors.ToList())
            Drive(director, now, isPlan);
        CheckWhole();
    }

    private void Drive((DirectorRunner Runner, DirectorCore Core, TimeSpan Clock) director, int now, bool isPlan)
    {
        try
        {
            var time = director.Clock + TimeSpan.FromSeconds(now);
            if (isPlan)
                Judge(director.Runner.PlanAsync(time).AsTask().GetAwaiter().GetResult());
            if (_bug == PlantedBug.CopiesToAllReplicasAtOnce)
                StartAll(director.Core);
            director.Runner.AdvanceAsync(time).AsTask().GetAwaiter().GetResult();
        }
        catch (Exception error) when (error is CrashException or FencedException)
        {
            _newestIsGone |= ReferenceEquals(director.Core, _newest);
            _directors.Remove(director);
            _downFor = _dice.Random.Next(1, 8);
        }
    }

    // The planted bug: begins all planned copies at once.
    private void StartAll(DirectorCore core)
    {
        foreach (var action in core.Pending.Where(action => action.Kind is ActionKind.Move or ActionKind.Replicate))
            _ = _faulty.Connect().SendAsync(new CopyBins(action.Id, action.Bins, action.From, action.To, Policy.CopyRate), _cluster.Epoch, default).AsTask().GetAwaiter().GetResult();
    }

    private void Start()
    {
        // The clocks of the Directors' machines differ, here by up to two hours.
        var clock = TimeSpan.FromHours(2) + TimeSpan.FromMinutes(_dice.Random.Next(-60, 61));
        var core = new DirectorCore(Some.Settings(Bins, Policy));
        var runner = new DirectorRunner(core, _faulty.Connect(), _intents.Connect());
        runner.StartAsync(clock + TimeSpan.FromSeconds(_cluster.Now)).AsTask().GetAwaiter().GetResult();
        _directors.Add((runner, core, clock));
        (_newest, _newestIsGone) = (core, false);
    }

    private void Judge(Decision decision)
    {
        if (_plansAtRest++ > 0)
            _plannedLater.UnionWith(decision.Actions.Select(action => action.Id));
        foreach (var action in decision.Actions)
        {
            if (action.To >= 0 && !_faulty.Reported.Contains(action.To))
                _violations.Add($"a silent server is a target: {action}");
            if (action.Reason.Rule is Rule.Coalesce or Rule.Surplus && !_faulty.Reported.Contains(action.From))
                _violations.Add($"a silent server is scaled in: {action}");
        }

        if (_faulty.Reported.Count == 0 && (decision.Actions.Count > 0 || decision.Findings.All(finding => finding.Kind != FindingKind.NoReports)))
            _violations.Add("without a report the layout is not held, or nothing is said");
    }

    private void ChangeLoad()
    {
        for (var bin = 0; bin < Bins; bin++)
            _gets[bin] = _loads.Next(20, 220) * (_loads.Next(12) == 0 ? 6 : 1);
    }

    // Kills a server, preferably a source or a target of a copy, if every bin then still has a live replica.
    private void MayKill()
    {
        if (!_dice.Roll(0.02))
            return;
        var observation = _cluster.ObserveAsync(false, default).AsTask().GetAwaiter().GetResult();
        var live = observation.Servers.Where(server => server.Phase == ServerPhase.Live).Select(server => server.Id).ToList();
        var engaged = observation.Copies.SelectMany(copy => new[] { copy.From, copy.To }).Where(live.Contains).ToList();
        var candidates = engaged.Count > 0 ? engaged : live;
        var victim = candidates[_dice.Random.Next(candidates.Count)];
        if (live.Count > 2 && Enumerable.Range(0, Bins).All(bin => _cluster.Layout.Replicas(bin).ToArray().Any(server => server != victim && live.Contains(server))))
            _cluster.Kill(victim);
    }

    private void CheckWhole()
    {
        for (var bin = 0; bin < Bins; bin++)
        {
            if (_cluster.Layout.Replicas(bin).Length == 0)
                _violations.Add($"bin {bin} has no whole replica");
        }
    }

    private void CheckRest()
    {
        var observation = _cluster.ObserveAsync(false, default).AsTask().GetAwaiter().GetResult();
        var live = observation.Servers.Where(server => server.Phase == ServerPhase.Live).Select(server => server.Id).ToHashSet();
        for (var bin = 0; bin < Bins; bin++)
        {
            if (observation.Layout.Replicas(bin).ToArray().Count(live.Contains) < Policy.LeastReplicas)
                _violations.Add($"bin {bin} has too few replicas after {RestPeriods} periods of rest");
        }

        // The first plan at rest repairs the consequences of the faults, and must be finished. Later plans have ordinary causes, such as the end of a lease.
        var unfinished = _directors[^1].Core.Pending.Where(action => !_plannedLater.Contains(action.Id)).ToList();
        if (unfinished.Count > 0)
            _violations.Add($"unfinished after the rest: {unfinished[0]}");
    }
}

/// <summary>The result of a schedule.</summary>
/// <param name="Violations">The broken promises.</param>
/// <param name="Crashes">The Director's crashes by place.</param>
/// <param name="Servers">The leased servers at the end.</param>
/// <param name="Overload">The load above 1 of all servers at the end.</param>
internal sealed record FaultResult(IReadOnlyList<string> Violations, IReadOnlyDictionary<string, int> Crashes, int Servers, double Overload);
