using Orleans.Runtime;
using Stout.Orleans.Facet;
using Stout.Orleans.Storage;

namespace Stout.Orleans.HandOver;

/// <summary>One activation that may be handed over. It waits for its turn after its calls have ended and after its states are closed.</summary>
internal sealed class HandOverMember(IGrainContext context, HandOverMembers members) : ILifecycleObserver, IGrainMigrationParticipant
{
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isBegun;

    public IGrainContext Context => context;

    /// <summary>Completes when the activation's calls have ended and its states are closed.</summary>
    public Task Closed => _closed.Task;

    /// <summary>Whether the activation has ended, and the outcome of its last writes is not known. Its memory may be ahead of the store.</summary>
    public bool MustStay { get; private set; }

    /// <summary>Whether the states were handed to Orleans.</summary>
    public bool IsSent { get; private set; }

    /// <summary>Has the activation leave as soon as its calls have ended.</summary>
    /// <param name="cancellationToken">Ends the deactivation, as the silo's stop does.</param>
    public void Begin(CancellationToken cancellationToken)
    {
        _isBegun = true;
        context.Migrate(null, cancellationToken);
    }

    /// <inheritdoc/>
    public Task OnStart(CancellationToken cancellationToken)
    {
        members.Add(this);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public async Task OnStop(CancellationToken cancellationToken)
    {
        if (members.Gate is not { } gate)
        {
            members.Remove(this);
            return;
        }

        var (keys, facets) = (context.GetComponent<ActivationKeys>(), context.GetComponent<StateFacets>());
        MustStay = keys is { IsSettled: false } || facets is { IsSettled: false };
        _closed.TrySetResult();
        if (!_isBegun || MustStay)
        {
            _ = ForgetAsync(null, 0);
            return;
        }

        var bytes = (keys?.Bytes ?? 0) + (facets?.Bytes ?? 0);
        await gate.EnterAsync(bytes).ConfigureAwait(true);
        _ = ForgetAsync(gate, bytes);
    }

    /// <summary>
    /// Called before the states of the activation are added. A placement of the application may still move a grain that must stay. Then the exception keeps
    /// the states from being added, and the next activation reads them.
    /// </summary>
    public void OnDehydrate(IDehydrationContext dehydrationContext)
    {
        if (MustStay)
            throw new InvalidOperationException("The grain's states are not handed over, since the outcome of a write is unknown.");
        IsSent = true;
    }

    /// <inheritdoc/>
    public void OnRehydrate(IRehydrationContext rehydrationContext)
    {
        // The states rehydrate themselves.
    }

    private async Task ForgetAsync(HandOverGate? gate, long bytes)
    {
        await context.Deactivated.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        gate?.Leave(bytes);
        members.Remove(this);
    }
}
