using Stout.Director.Actions;
using Stout.Director.Layouts;

namespace Stout.Director;

/// <summary>
/// A cluster whose bins (ranges of keys) can be moved and replicated, and whose servers are leased from a pool. The cluster is real or simulated.
/// </summary>
public interface IElasticCluster
{
    /// <summary>Makes the caller the Director. Commands of older epochs are fenced from now on, and copies that such commands began end.</summary>
    /// <param name="cancellationToken">Ends the waiting.</param>
    /// <returns>The caller's epoch: higher than any before.</returns>
    ValueTask<long> ClaimAsync(CancellationToken cancellationToken);

    /// <summary>Observes the cluster.</summary>
    /// <param name="withReports">Whether the servers' load reports are wanted.</param>
    /// <param name="cancellationToken">Ends the waiting.</param>
    /// <returns>The cluster as far as it is known.</returns>
    ValueTask<ClusterObservation> ObserveAsync(bool withReports, CancellationToken cancellationToken);

    /// <summary>Sends a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="epoch">The caller's epoch.</param>
    /// <param name="cancellationToken">Ends the waiting; the command may have been carried out.</param>
    /// <returns>The answer.</returns>
    ValueTask<CommandOutcome> SendAsync(ClusterCommand command, long epoch, CancellationToken cancellationToken);
}
