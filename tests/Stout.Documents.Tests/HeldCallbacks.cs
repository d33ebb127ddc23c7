namespace Stout.Documents.Tests;

/// <summary>Stands between the lanes and the typed layer, and holds the Deserialize callbacks that a test wants to come late.</summary>
internal sealed class HeldCallbacks(IStoutApplication inner) : IStoutApplication
{
    private readonly Lock _lock = new();
    private HeldCallback? _next;

    /// <summary>Whether a held callback waits after the typed layer has run it; otherwise it waits before that.</summary>
    public bool HoldsAfterwards { get; init; }

    /// <summary>Holds the next Deserialize callback.</summary>
    public HeldCallback HoldNextDeserialize()
    {
        lock (_lock)
            return _next = new HeldCallback();
    }

    public async ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken)
    {
        HeldCallback? held;
        lock (_lock)
            (held, _next) = (_next, null);
        if (held is not null && !HoldsAfterwards)
            await held.PassAsync();
        await inner.DeserializeAsync(filled, cancellationToken);
        if (held is not null && HoldsAfterwards)
            await held.PassAsync();
        held?.End();
    }

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) => inner.SerializeAsync(batch, cancellationToken);
}

/// <summary>One callback that waits for the test.</summary>
internal sealed class HeldCallback
{
    private readonly TaskCompletionSource _arrived = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when the callback has begun to wait for the test.</summary>
    public Task Arrived => _arrived.Task;

    /// <summary>Lets the callback go on, and waits for its end.</summary>
    public Task LetThroughAsync()
    {
        _released.SetResult();
        return _ended.Task;
    }

    internal Task PassAsync()
    {
        _arrived.SetResult();
        return _released.Task;
    }

    internal void End() => _ended.SetResult();
}
