using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Recordings;

namespace Stout.Director;

/// <summary>
/// Runs a <see cref="DirectorCore"/> on a cluster: observes the cluster, makes the unfinished actions durable, and sends commands. The runner has no timer:
/// a host calls <see cref="PlanAsync"/> once a period and <see cref="AdvanceAsync"/> about once a second. Not thread-safe.
/// </summary>
/// <param name="core">Makes the decisions.</param>
/// <param name="cluster">The cluster.</param>
/// <param name="intents">Keeps the unfinished actions durably.</param>
/// <param name="recorder">Receives every input, for replay; null records nothing.</param>
public sealed class DirectorRunner(DirectorCore core, IElasticCluster cluster, IIntentStore intents, IDirectorRecorder? recorder = null)
{
    private long _epoch;
    private long _stored = -1;

    /// <summary>Claims the cluster and takes over the unfinished actions of the Director before it.</summary>
    /// <param name="now">The Director's time, from any origin; it never goes back.</param>
    /// <param name="cancellationToken">Ends the waiting.</param>
    /// <returns>A task that completes when the Director may plan.</returns>
    public async ValueTask StartAsync(TimeSpan now, CancellationToken cancellationToken = default)
    {
        _epoch = await cluster.ClaimAsync(cancellationToken).ConfigureAwait(false);
        var unfinished = await intents.ReadAsync(_epoch, cancellationToken).ConfigureAwait(false);
        recorder?.Began(now, _epoch, unfinished);
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
        recorder?.Planned(now, observation);
        var decision = core.Plan(now, observation);
        await StoreAsync(cancellationToken).ConfigureAwait(false);
        return decision;
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
        recorder?.Advanced(now, observation);
        var commands = core.Advance(now, observation);
        // A command whose action is not durable would be unknown to the next Director.
        await StoreAsync(cancellationToken).ConfigureAwait(false);
        foreach (var command in commands)
        {
            var outcome = await cluster.SendAsync(command, _epoch, cancellationToken).ConfigureAwait(false);
            if (outcome == CommandOutcome.Fenced)
                throw new FencedException(_epoch);
            recorder?.Answered(command, outcome);
            core.Answered(command, outcome);
        }

        return commands.Count;
    }

    private async ValueTask StoreAsync(CancellationToken cancellationToken)
    {
        if (_stored == core.PendingVersion)
            return;
        await intents.WriteAsync(_epoch, core.Pending, cancellationToken).ConfigureAwait(false);
        _stored = core.PendingVersion;
    }
}
