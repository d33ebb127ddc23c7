using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Recordings;

namespace Stout.Director;

/// <summary>
/// Runs a <see cref="DirectorCore"/> on a cluster: observes the cluster, makes the unfinished actions durable, and sends commands. The runner has no timer:
/// a host calls <see cref="PlanAsync"/> once a period and <see cref="AdvanceAsync"/> about once a second. Not thread-safe.
/// </summary>
/// <param name="core">Makes the decisions.</param>
/// <param name="cluster">The cluster.</param>
/// <param name="intents">Keeps the unfinished actions durably.</param>
/// <param name="recorder">Receives every input, for replay; null records nothing. If it fails, the runner goes on without it, and every further decision has a
/// finding that tells so.</param>
public sealed class DirectorRunner(DirectorCore core, IElasticCluster cluster, IIntentStore intents, IDirectorRecorder? recorder = null)
{
    private IDirectorRecorder? _recorder = recorder;
    private Exception? _recorderError;
    private long _epoch;
    private long _stored = -1;

    /// <summary>The operator's orders by server, which the next plan follows. They are not durable: a host sets them anew after a restart. Default: empty.</summary>
    public IReadOnlyDictionary<int, ServerOrder> Orders { get; set; } = new Dictionary<int, ServerOrder>();

    private bool IsObserver => core.Settings.Policy.Mode == DirectorMode.Observe;

    /// <summary>Claims the cluster and takes over the unfinished actions of the Director before it. An observer does neither.</summary>
    /// <param name="now">The Director's time, from any origin; it never goes back.</param>
    /// <param name="cancellationToken">Ends the waiting.</param>
    /// <returns>A task that completes when the Director may plan.</returns>
    public async ValueTask StartAsync(TimeSpan now, CancellationToken cancellationToken = default)
    {
        _epoch = IsObserver ? 0 : await cluster.ClaimAsync(cancellationToken).ConfigureAwait(false);
        var unfinished = IsObserver ? [] : await intents.ReadAsync(_epoch, cancellationToken).ConfigureAwait(false);
        Record(one => one.Began(now, _epoch, unfinished));
        core.Begin(now, _epoch, unfinished);
        _stored = -1;
    }

    /// <summary>Plans, and makes the new actions durable. <see cref="AdvanceAsync"/> carries the actions out.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="cancellationToken">Ends the waiting.</param>
    /// <returns>The decision.</returns>
    /// <exception cref="FencedException">A newer Director has claimed the cluster.</exception>
    public async ValueTask<Decision> PlanAsync(TimeSpan now, CancellationToken cancellationToken = default)
    {
        var observation = await cluster.ObserveAsync(withReports: true, cancellationToken).ConfigureAwait(false);
        if (Orders.Count > 0)
            observation = observation with { Orders = Orders.ToDictionary() };
        Record(one => one.Planned(now, observation));
        var decision = core.Plan(now, observation);
        await StoreAsync(cancellationToken).ConfigureAwait(false);
        if (_recorderError is not { } error)
            return decision;
        return decision with { Findings = [.. decision.Findings, new Finding(FindingKind.NotRecorded, $"The recorder failed ({error.GetType().Name}: {error.Message}). Decisions since then can't be replayed.")] };
    }

    /// <summary>Approves proposed actions of the last decision, and makes them durable. Only in the mode <see cref="DirectorMode.Approve"/>.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="actions">The ids of the actions. An action that a later plan proposes as well keeps its id.</param>
    /// <param name="cancellationToken">Ends the waiting.</param>
    /// <returns>The number of approved actions. Actions that the last plan does not propose are ignored.</returns>
    /// <exception cref="FencedException">A newer Director has claimed the cluster.</exception>
    public async ValueTask<int> ApproveAsync(TimeSpan now, IReadOnlyList<long> actions, CancellationToken cancellationToken = default)
    {
        Record(one => one.Approved(now, actions));
        var approved = core.Approve(now, actions);
        await StoreAsync(cancellationToken).ConfigureAwait(false);
        return approved;
    }

    /// <summary>Sends the commands that are due.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="cancellationToken">Ends the waiting.</param>
    /// <returns>The number of commands sent.</returns>
    /// <exception cref="FencedException">A newer Director has claimed the cluster.</exception>
    public async ValueTask<int> AdvanceAsync(TimeSpan now, CancellationToken cancellationToken = default)
    {
        if (core.IsIdle)
            return 0;
        var observation = await cluster.ObserveAsync(withReports: false, cancellationToken).ConfigureAwait(false);
        Record(one => one.Advanced(now, observation));
        var commands = core.Advance(now, observation);
        // A command whose action is not durable would be unknown to the next Director.
        await StoreAsync(cancellationToken).ConfigureAwait(false);
        foreach (var command in commands)
        {
            var outcome = await cluster.SendAsync(command, _epoch, cancellationToken).ConfigureAwait(false);
            if (outcome == CommandOutcome.Fenced)
                throw new FencedException(_epoch);
            Record(one => one.Answered(command, outcome));
            core.Answered(command, outcome);
        }

        return commands.Count;
    }

    // A recorder fails for reasons of its own, such as a full disk. The cluster needs its Director all the same.
    private void Record(Action<IDirectorRecorder> record)
    {
        try
        {
            if (_recorder is not null)
                record(_recorder);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            (_recorder, _recorderError) = (null, error);
        }
    }

    private async ValueTask StoreAsync(CancellationToken cancellationToken)
    {
        if (_stored == core.PendingVersion || IsObserver)
            return;
        await intents.WriteAsync(_epoch, core.Pending, cancellationToken).ConfigureAwait(false);
        _stored = core.PendingVersion;
    }
}
