namespace Stout.Testing;

/// <summary>
/// A stall of the store, from <see cref="FaultyStore.Hold"/> to <see cref="Release"/>, during which requests wait. A request that is cancelled, or
/// whose store dies, ends as unknown.
/// </summary>
public sealed class StoreHold : IDisposable
{
    private readonly Lock _lock = new();
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<(int Count, TaskCompletionSource Reached)> _waiting = [];
    private readonly HoldPoint _point;
    private readonly HeldRequests _requests;
    private readonly Func<PartitionKey, bool>? _keys;
    private int _held;

    internal StoreHold(HoldPoint point, HeldRequests requests, Func<PartitionKey, bool>? keys)
    {
        _point = point;
        _requests = requests;
        _keys = keys;
    }

    /// <summary>The number of requests held so far.</summary>
    public int HeldCount
    {
        get
        {
            lock (_lock)
                return _held;
        }
    }

    /// <summary>Whether the hold has been released.</summary>
    public bool IsReleased => _released.Task.IsCompleted;

    /// <summary>Releases the held requests, and lets later ones pass. Repeated calls have no effect.</summary>
    public void Release() => _released.TrySetResult();

    /// <summary>The same as <see cref="Release"/>.</summary>
    public void Dispose() => Release();

    /// <summary>Completes when this number of requests has been held.</summary>
    /// <param name="requests">The number of requests; at least 1.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public Task WaitUntilHeldAsync(int requests = 1, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(requests, 1);
        lock (_lock)
        {
            if (_held >= requests)
                return Task.CompletedTask;
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting.Add((requests, reached));
            return reached.Task.WaitAsync(cancellationToken);
        }
    }

    internal bool Concerns(HoldPoint point, HeldRequests kind, IReadOnlyList<PartitionKey> keys) =>
        !IsReleased && point == _point && _requests.HasFlag(kind) && (_keys is null || keys.Any(_keys));

    internal Task PassAsync(CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            _held++;
            foreach (var (_, reached) in _waiting.Where(waiting => waiting.Count <= _held))
                reached.TrySetResult();
            _waiting.RemoveAll(waiting => waiting.Count <= _held);
        }

        return _released.Task.WaitAsync(cancellationToken);
    }
}
