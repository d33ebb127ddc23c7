using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Loads;
using Stout.Director.Planning;

namespace Stout.Director;

/// <summary>
/// Decides on the layout of an elastic cluster: when servers are leased and released, and on which servers the bins (ranges of keys) are. Pure: no clock,
/// I/O or randomness. The same calls in the same order give the same decisions and commands, bit for bit. <see cref="DirectorRunner"/> applies these
/// decisions to a cluster. Not thread-safe.
/// </summary>
public sealed class DirectorCore
{
    // An action's id is the epoch × 2^24 plus a sequence number, so each epoch has its own range of ids.
    private const int EpochBits = 24;

    private readonly DirectorSettings _settings;
    private readonly ReportCollector _reports;
    private readonly LoadForecaster _forecaster;
    private readonly Reserve _reserve;
    private readonly ActionScheduler _scheduler;
    private readonly List<PendingAction> _pending = [];
    private readonly List<DirectorAction> _canceled = [];
    private readonly List<EndedAction> _ended = [];
    private readonly ModelCheck _model;
    private readonly List<TimeSpan> _leases = [];
    private readonly SortedDictionary<string, int> _refused = new(StringComparer.Ordinal);
    private IReadOnlyList<DirectorAction> _proposed = [];
    private long _epoch;
    private long _sequence;

    /// <summary>Creates a Director that knows nothing of the cluster yet.</summary>
    /// <param name="settings">Policy, server types and number of bins.</param>
    /// <exception cref="InvalidPolicyException">A parameter is out of range.</exception>
    /// <exception cref="ModelException">A server type can't be used.</exception>
    public DirectorCore(DirectorSettings settings)
    {
        settings.Check();
        _settings = settings = settings.Copy();
        _reports = new ReportCollector(settings);
        _forecaster = LoadForecaster.Create(settings);
        _reserve = new Reserve(settings.Policy);
        _scheduler = new ActionScheduler(settings.Policy);
        _model = new ModelCheck(settings.Policy);
    }

    /// <summary>Policy, server types and number of bins.</summary>
    public DirectorSettings Settings => _settings;

    /// <summary>The unfinished actions. They have to be durable before any of their commands is sent.</summary>
    public IReadOnlyList<DirectorAction> Pending => [.. _pending.Select(pending => pending.Action)];

    /// <summary>Whether no action is unfinished, so that <see cref="Advance"/> would return no command.</summary>
    public bool IsIdle => _pending.Count == 0;

    /// <summary>Grows whenever <see cref="Pending"/> changes.</summary>
    public long PendingVersion { get; private set; }

    /// <summary>Begins as the Director of an epoch, with the unfinished actions of the Director before it.</summary>
    /// <param name="now">The Director's time, from any origin; it never goes back.</param>
    /// <param name="epoch">The epoch that the cluster gave: above that of any earlier Director.</param>
    /// <param name="intents">The unfinished actions that are stored.</param>
    public void Begin(TimeSpan now, long epoch, IReadOnlyList<DirectorAction> intents)
    {
        (_epoch, _sequence) = (epoch, 0);
        _pending.Clear();
        _pending.AddRange(intents.Select(action => new PendingAction(action, now)));
        PendingVersion++;
    }

    /// <summary>Plans: estimates the load from the reports, and decides on new actions.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="observation">The cluster, with the reports since the last plan.</param>
    /// <returns>The decision. Its actions are among <see cref="Pending"/> from now on, unless the policy's mode makes them proposals.</returns>
    /// <exception cref="ObservationException">The observation has no live server, another number of bins, or an unknown server type.</exception>
    /// <exception cref="UnknownBinException">A report names a bin that does not exist.</exception>
    public Decision Plan(TimeSpan now, ClusterObservation observation)
    {
        ObservationChecks.Check(observation, _settings);
        var counted = _reports.Add(now, observation);
        var live = observation.Servers.Where(server => server.Phase == ServerPhase.Live).ToList();
        var findings = Findings(now, live);
        var canceled = _canceled.ToArray();
        _canceled.Clear();
        if (counted == 0)
        {
            findings.Add(new Finding(FindingKind.NoReports, $"None of {live.Count} servers has reported: the layout is held as it is."));
            return new Decision(now, [], canceled, findings, 0, live.Count, 0);
        }

        var unknown = Unmeasured(observation.Layout);
        var forecast = _forecaster.Update(now, _reports.Rates, _reports.IsMeasured);
        if (forecast.Surges.Count > 0)
            findings.Add(Told(forecast.Surges));
        if (_model.Add(now, observation.SlowShare, HighestLoad(observation), observation.Copies.Count > 0) is { } mismatch)
            findings.Add(mismatch);
        _leases.RemoveAll(at => at <= now - TimeSpan.FromHours(1));
        var input = new Planner.Input(now, observation, forecast, Pending, server => _reports.IsHeard(server) && !unknown.Contains(server))
        {
            Correction = _model.Correction,
            LeasesLastHour = _leases.Count,
        };
        var (context, load, reserve) = Planner.Run(_settings, input, _reserve, () => (_epoch << EpochBits) + ++_sequence);
        findings.AddRange(context.Findings);
        if (_settings.Policy.Mode == DirectorMode.Act)
            TakeUp(now, context.Actions);
        else
            _proposed = [.. WithKnownIds(context.Actions)];
        return new Decision(now, _settings.Policy.Mode == DirectorMode.Act ? context.Actions : _proposed, canceled, findings, load, live.Count, reserve);
    }

    /// <summary>Approves proposed actions of the last plan. They are among <see cref="Pending"/> from now on.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="actions">The ids of the actions. An action that later plans propose as well keeps its id.</param>
    /// <returns>The number of approved actions. Actions that the last plan does not propose are ignored.</returns>
    public int Approve(TimeSpan now, IReadOnlyList<long> actions)
    {
        var approved = _settings.Policy.Mode == DirectorMode.Approve ? _proposed.Where(action => actions.Contains(action.Id)).ToList() : [];
        _proposed = [.. _proposed.Except(approved)];
        TakeUp(now, approved);
        return approved.Count;
    }

    /// <summary>Decides which commands are due, and forgets the actions that are done.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="observation">The cluster's state. Its load reports are ignored.</param>
    /// <returns>The commands, to be sent in this order once <see cref="Pending"/> is durable.</returns>
    public IReadOnlyList<ClusterCommand> Advance(TimeSpan now, ClusterObservation observation)
    {
        _ended.Clear();
        var commands = _scheduler.Run(now, observation, _pending, _ended);
        foreach (var (pending, end) in _ended)
        {
            _pending.Remove(pending);
            if (end == ActionEnd.TookTooLong)
                _canceled.Add(pending.Action);
        }

        if (_ended.Count > 0)
            PendingVersion++;
        return commands;
    }

    /// <summary>Takes in the cluster's answer to a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="outcome">The answer.</param>
    public void Answered(ClusterCommand command, CommandOutcome outcome)
    {
        // The finding tells refusals until a command of the kind is accepted.
        if (outcome == CommandOutcome.Refused)
            _refused[command.GetType().Name] = _refused.GetValueOrDefault(command.GetType().Name) + 1;
        else if (outcome == CommandOutcome.Accepted)
            _refused.Remove(command.GetType().Name);
        // A lease ends with its answer. Every other accepted action ends when an observation shows its end. A refused action ends now, and the next plan
        // repeats the action if it is still needed.
        if (outcome == CommandOutcome.Refused || (command is LeaseServer && outcome == CommandOutcome.Accepted))
        {
            if (_pending.RemoveAll(pending => pending.Action.Id == command.Action) > 0)
                PendingVersion++;
        }
    }

    private void TakeUp(TimeSpan now, List<DirectorAction> actions)
    {
        if (actions.Count == 0)
            return;
        _pending.AddRange(actions.Select(action => new PendingAction(action, now)));
        _leases.AddRange(actions.Where(action => action.Kind == ActionKind.Lease).Select(_ => now));
        PendingVersion++;
    }

    // Proposals that the last plan made as well keep their ids, so that an operator has more than one period to approve them.
    private IEnumerable<DirectorAction> WithKnownIds(IEnumerable<DirectorAction> actions)
    {
        var known = _proposed.ToList();
        foreach (var action in actions)
        {
            var same = known.FindIndex(one => (one.Kind, one.From, one.To, one.Type) == (action.Kind, action.From, action.To, action.Type) && one.Bins.SequenceEqual(action.Bins));
            yield return same < 0 ? action : action with { Id = known[same].Id };
            if (same >= 0)
                known.RemoveAt(same);
        }
    }

    private List<Finding> Findings(TimeSpan now, List<ServerState> live)
    {
        var findings = new List<Finding>();
        foreach (var server in live.Where(server => _reports.IsSilent(server.Id, now)))
            findings.Add(new Finding(FindingKind.SilentServer, $"Server {server.Id} has not reported for {_settings.Policy.SilentAfter} periods or more. It gets no bins, and only overload takes bins from it."));
        foreach (var server in _reports.Bad)
            findings.Add(new Finding(FindingKind.BadReport, $"The report of server {server} has a rate that is not a number, below 0 or impossibly high. It does not count."));
        foreach (var action in _canceled)
            findings.Add(new Finding(FindingKind.Canceled, $"Canceled after {_settings.Policy.CancelAfter} and the time of its bytes: {action}. The next attempt gets more time."));
        foreach (var (command, times) in _refused)
            findings.Add(new Finding(FindingKind.Refused, $"The cluster has refused {command} {times} times since it last accepted one."));
        return findings;
    }

    // The highest load of a server by the measured rates and the layout in force, without overprovisioning and correction.
    private double HighestLoad(ClusterObservation observation)
    {
        var types = observation.Servers.ToDictionary(server => server.Id, server => _settings.Types.First(type => type.Name == server.Type).SteadyState);
        var loads = types.Keys.ToDictionary(server => server, _ => 0.0);
        for (var bin = 0; bin < observation.Layout.Bins; bin++)
        {
            var replicas = observation.Layout.Replicas(bin);
            foreach (var server in replicas)
            {
                if (types.TryGetValue(server, out var model))
                    loads[server] += model.Utilization(_reports.Rates[bin].Gets * Math.Min(_settings.Policy.ReadFanOut, replicas.Length) / replicas.Length, _reports.Rates[bin].Puts);
            }
        }

        return loads.Values.DefaultIfEmpty(0).Max();
    }

    private static Finding Told(IReadOnlyList<Surge> surges)
    {
        var most = surges.MaxBy(surge => surge.Measured - surge.Expected);
        var others = surges.Count switch { 1 => "", 2 => " So does another bin.", _ => $" So do {surges.Count - 1} other bins." };
        return new Finding(
            FindingKind.Surge,
            FormattableString.Invariant($"Bin {most.Bin} surges: it takes {most.Measured:#,0} requests/s, where {most.Expected:#,0} were expected. Its rise is extrapolated.{others}"));
    }

    // The servers of bins that no report has ever covered, and the servers to which such bins are on the way: their load is unknown.
    private HashSet<int> Unmeasured(Layout layout)
    {
        var servers = new HashSet<int>();
        for (var bin = 0; bin < layout.Bins; bin++)
        {
            if (_reports.IsMeasured(bin))
                continue;
            foreach (var server in layout.Replicas(bin))
                servers.Add(server);
        }

        foreach (var pending in _pending.Where(pending => pending.Action.Bins.Any(bin => !_reports.IsMeasured(bin))))
            servers.Add(pending.Action.To);
        return servers;
    }
}
