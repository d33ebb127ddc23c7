using Stout.Director.Actions;

namespace Stout.Director;

/// <summary>Keeps the unfinished actions durably, so that a Director that starts again goes on where the last one stopped.</summary>
public interface IIntentStore
{
    /// <summary>Replaces the stored actions. Completes when they are durable. A store that knows a newer epoch throws <see cref="FencedException"/>.</summary>
    /// <param name="epoch">The writer's epoch.</param>
    /// <param name="actions">The unfinished actions.</param>
    /// <param name="cancellationToken">Ends the waiting; the actions may be durable or not.</param>
    /// <returns>A task that completes when the actions are durable.</returns>
    ValueTask WriteAsync(long epoch, IReadOnlyList<DirectorAction> actions, CancellationToken cancellationToken);

    /// <summary>Reads the stored actions, and refuses writes of epochs older than the reader's from now on.</summary>
    /// <param name="epoch">The reader's epoch.</param>
    /// <param name="cancellationToken">Ends the waiting.</param>
    /// <returns>The actions that were stored last; empty before the first write.</returns>
    ValueTask<IReadOnlyList<DirectorAction>> ReadAsync(long epoch, CancellationToken cancellationToken);
}
