using Orleans.Runtime;
using Stout.Orleans.Facet;
using Stout.Orleans.Storage;

namespace Stout.Orleans.HandOver;

/// <summary>One activation that may be handed over. It waits for its turn after its calls have ended and after its states are closed.</summary>
internal sealed class HandOverMember(IGrainContext context, HandOverMembers members) : ILifecycleObserver, IGrainMigrationParticipant
{
    /// <summary>
    /// Bounds the wait for the activation on the other silo. Orleans sends one batch at a time to each silo, and a batch waits for its slowest activation. That
    /// activation may call a grain of the next batch, whose calls wait for this one's end.
    /// </summary>
    public static readonly TimeSpan SentLimit = TimeSpan.FromSeconds(2);

    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _sent = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isBegun;

    public IGrainContext Context => context;

    /// <summary>Completes when the activation's calls have ended and its states are closed.</summary>
    public Task Closed => _closed.Task;

    /// <summary>Whether the activation has ended, and the outcome of its last writes is not known. Its memory may be ahead of the store.</summary>
    public bool MustStay { get; private set; }

    /// <summary>Whether the states were handed to Orleans.</summary>
    public bool IsSent => _sent.Task.IsCompleted;

    /// <summary>
    /// Has the activation leave as soon as its calls have ended, and completes when it has ended. After <see cref="SentLimit"/> it no longer waits for the
    /// other silo. Orleans still sends the states, and the grain directory refuses them if the grain has become active elsewhere.
    /// </summary>
    /// <param name="time">The clock of the limit.</param>
    /// <param name="stop">Ends the deactivation, as the silo's stop does.</param>
    /// <param name="end">Ends the hand-over, and with it the waits for other silos.</param>
    public async Task LeaveAsync(TimeProvider time, CancellationToken stop, CancellationToken end)
    {
        using var wait = CancellationTokenSource.CreateLinkedTokenSource(stop);
        _isBegun = true;
        context.Migrate(null, wait.Token);
        var left = context.Deactivated;
        await Task.WhenAny(left, _sent.Task).ConfigureAwait(false);
        // A grain whose calls end after the hand-over has its limit, too.
        var limit = end.IsCancellationRequested ? stop : end;
        await left.WaitAsync(SentLimit, time, limit).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await wait.CancelAsync().ConfigureAwait(false);
        await left.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
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
    /// Called before the states themselves are added. A placement of the application may still move a grain that must stay. Then the exception keeps the
    /// states from being added, and the next activation reads them. <see cref="ActivationKeys"/> may come first: it adds no key with an unknown outcome.
    /// </summary>
    public void OnDehydrate(IDehydrationContext dehydrationContext)
    {
        if (MustStay)
            throw new InvalidOperationException("The grain's states are not handed over, since the outcome of a write is unknown.");
        _sent.TrySetResult();
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
