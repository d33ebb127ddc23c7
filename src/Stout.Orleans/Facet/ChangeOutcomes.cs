namespace Stout.Orleans.Facet;

/// <summary>The outcomes of a state's changes, which are numbered in the order in which the grain makes them.</summary>
internal sealed class ChangeOutcomes
{
    private readonly Lock _lock = new();
    private readonly List<(long Change, TaskCompletionSource Settled)> _waiting = [];
    private long _last;
    private long _safe;
    private long _unknown;
    private long _settled;
    private long _firstRefused = long.MaxValue;

    /// <summary>The number of the last change.</summary>
    public long Last => Volatile.Read(ref _last);

    /// <summary>Whether all changes are durable.</summary>
    public bool IsSafe => Volatile.Read(ref _safe) == Volatile.Read(ref _last);

    /// <summary>Notes a change that will be sent.</summary>
    /// <returns>The number of the change.</returns>
    public long Begin() => Interlocked.Increment(ref _last);

    /// <summary>Notes that all changes up to this one are durable.</summary>
    public void Settle(long change)
    {
        lock (_lock)
        {
            _safe = Math.Max(_safe, change);
            SettleNeedsLock(change);
        }
    }

    /// <summary>Notes that a change that was sent has failed.</summary>
    /// <param name="change">The change's number.</param>
    /// <param name="isUnknown">Whether the change may be in the store; otherwise it certainly is not.</param>
    public void Fail(long change, bool isUnknown)
    {
        lock (_lock)
        {
            if (isUnknown)
                _unknown = Math.Max(_unknown, change);
            SettleNeedsLock(change);
        }
    }

    /// <summary>
    /// Notes that a change was refused before it was sent, as all later ones will be. The outcomes of earlier changes may still be under way.
    /// </summary>
    public void Refuse(long change)
    {
        lock (_lock)
            _firstRefused = Math.Min(_firstRefused, change);
    }

    /// <summary>
    /// Whether a change with a number above <paramref name="after"/> is in the store, or may be. Completes when the outcome of each change that was sent
    /// is known.
    /// </summary>
    public async ValueTask<bool> MayBeStoredAsync(long after)
    {
        Task settled;
        lock (_lock)
        {
            var lastSent = Math.Min(_last, _firstRefused - 1);
            if (lastSent <= after)
                return false;
            settled = WhenSettledNeedsLock(lastSent);
        }

        await settled.ConfigureAwait(true);
        lock (_lock)
            return Math.Max(_safe, _unknown) > after;
    }

    private Task WhenSettledNeedsLock(long change)
    {
        if (_settled >= change)
            return Task.CompletedTask;
        var settled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting.Add((change, settled));
        return settled.Task;
    }

    private void SettleNeedsLock(long change)
    {
        _settled = Math.Max(_settled, change);
        foreach (var (awaited, settled) in _waiting)
        {
            if (_settled >= awaited)
                settled.SetResult();
        }

        _waiting.RemoveAll(waiting => _settled >= waiting.Change);
    }
}
