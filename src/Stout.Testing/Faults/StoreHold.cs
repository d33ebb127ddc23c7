namespace Stout.Testing;

/// <summary>
/// A stall of the store, from <see cref="FaultyStore.Hold"/> to <see cref="Release"/>: requests that come to its point wait there. A
/// request that is cancelled, or whose store dies, leaves and ends as unknown.
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

    /// <summary>How many requests have come to be held so far.</summary>
    public int HeldCount
    {
        get
        {
            lock (_lock)
                return _held;
        }
    }

    /// <summary>Whether it lets requests pass again.</summary>
    public bool IsReleased => _released.Task.IsCompleted;

    /// <summary>Lets the held requests go on, and later ones pass. A second call does nothing.</summary>
    public void Release() => _released.TrySetResult();

    /// <summary>The same as <see cref="Release"/>.</summary>
    public void Dispose() => Release();

    /// <summary>Completes when so many requests have come to be held.</summary>
    /// <param name="requests">At least 1.</param>
    /// <param name="cancellationToken">Ends the waiting.</param>
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
