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
    /// <returns>The decision. Its actions are among <see cref="Pending"/> from now on.</returns>
    /// <exception cref="ObservationException">The observation has no live server, another number of bins, or an unknown server type.</exception>
    /// <exception cref="UnknownBinException">A report names a bin that does not exist.</exception>
    public Decision Plan(TimeSpan now, ClusterObservation observation)
    {
        ObservationChecks.Check(observation, _settings);
        var counted = _reports.Add(now, observation);
        var findings = new List<Finding>();
        var live = observation.Servers.Where(server => server.Phase == ServerPhase.Live).ToList();
        foreach (var server in live.Where(server => _reports.IsSilent(server.Id, now)))
            findings.Add(new Finding(FindingKind.SilentServer, $"Server {server.Id} has not reported for {_settings.Policy.SilentAfter} periods or more. It gets no bins, and only overload takes bins from it."));
        foreach (var action in _canceled)
            findings.Add(new Finding(FindingKind.Canceled, $"Canceled after {_settings.Policy.CancelAfter}: {action}."));
        var canceled = _canceled.ToArray();
        _canceled.Clear();
        if (counted == 0)
        {
            findings.Add(new Finding(FindingKind.NoReports, $"None of {live.Count} servers has reported: the layout is held as it is."));
            return new Decision(now, [], canceled, findings, 0, live.Count, 0);
        }

        var unknown = Unmeasured(observation.Layout);
        var forecast = _forecaster.Update(now, _reports.Rates);
        if (forecast.Surges.Count > 0)
            findings.Add(Told(forecast.Surges));
        var input = new Planner.Input(observation, forecast, Pending, server => _reports.IsHeard(server) && !unknown.Contains(server));
        var (context, load, reserve) = Planner.Run(_settings, input, _reserve, () => (_epoch << EpochBits) + ++_sequence);
        findings.AddRange(context.Findings);
        _pending.AddRange(context.Actions.Select(action => new PendingAction(action, now)));
        if (context.Actions.Count > 0)
            PendingVersion++;
        return new Decision(now, context.Actions, canceled, findings, load, live.Count, reserve);
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
        // A lease ends with its answer. Every other accepted action ends when an observation shows its end. A refused action ends now, and the next plan
        // repeats the action if it is still needed.
        if (outcome == CommandOutcome.Refused || (command is LeaseServer && outcome == CommandOutcome.Accepted))
        {
            if (_pending.RemoveAll(pending => pending.Action.Id == command.Action) > 0)
                PendingVersion++;
        }
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
