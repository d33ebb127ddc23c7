using Orleans.Storage;
using OrleansDocuments.Hosting;
using Stout.Orleans;

namespace OrleansDocuments.Calls;

/// <summary>Calls a grain. Calls the grain once more if the silo of its activation was lost, or if the activation was fenced.</summary>
internal sealed class OneRetry(IClusterMembershipService membership, SiloOptions options, TimeProvider time)
{
    public async Task<T> CallAsync<T>(Func<Task<T>> call, CancellationToken cancellationToken)
    {
        var before = membership.CurrentSnapshot;
        try
        {
            return await call().WaitAsync(cancellationToken);
        }
        catch (OrleansMessageRejectionException)
        {
            await LossAsync(before, cancellationToken);
        }
        catch (InconsistentStateException error) when (error is not GrainStateOutcomeUnknownException)
        {
            // Nothing was written. The next activation reads the document.
        }

        return await call().WaitAsync(cancellationToken);
    }

    /// <summary>
    /// Completes when the cluster knows that a silo is lost or leaves: from then on its grains start elsewhere. Completes, too, after
    /// <see cref="SiloOptions.LossPatience"/>, since a call can be rejected for other reasons.
    /// </summary>
    private async Task LossAsync(ClusterMembershipSnapshot before, CancellationToken cancellationToken)
    {
        using var patience = new CancellationTokenSource(options.LossPatience, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
        try
        {
            await foreach (var now in membership.MembershipUpdates.WithCancellation(either.Token))
            {
                if (IsLoss(before, now))
                    return;
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
        }
    }

    private static bool IsLoss(ClusterMembershipSnapshot before, ClusterMembershipSnapshot now) =>
        now.Members.Values.Any(silo => silo.Status is SiloStatus.ShuttingDown or SiloStatus.Stopping)
        || before.Members.Values.Any(silo => silo.Status == SiloStatus.Active && now.GetSiloStatus(silo.SiloAddress) != SiloStatus.Active);
}
