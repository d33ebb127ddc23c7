using Stout.Orleans.Storage;

namespace Stout.Orleans.Facet;

/// <summary>
/// The serialized parts of a state that are not durable yet. The grain stages them in its turn; the batch that carries the key takes them on the thread pool.
/// </summary>
internal sealed class StagedParts : IKeyContent
{
    private readonly Lock _lock = new();
    private readonly Dictionary<SubKey, Staged> _parts = [];
    private readonly List<(long Change, TaskCompletionSource Settled)> _waiting = [];
    private long _last;
    private long _safe;
    private long _unknown;
    private long _settled;
    private long _firstRefused = long.MaxValue;

    /// <summary>The number of the last change.</summary>
    public long Last => Volatile.Read(ref _last);

    /// <summary>Whether all staged changes are durable.</summary>
    public bool IsSafe => Volatile.Read(ref _safe) == Volatile.Read(ref _last);

    /// <summary>Stages a part's bytes.</summary>
    /// <param name="part">The part.</param>
    /// <param name="bytes">The part's bytes; null if the part is removed.</param>
    /// <returns>The number of the change.</returns>
    public long Stage(SubKey part, ReadOnlyMemory<byte>? bytes)
    {
        lock (_lock)
        {
            _parts[part] = new Staged(bytes, IsTaken: false);
            return ++_last;
        }
    }

    /// <summary>Stages the deletion of the whole object, and drops the parts that were staged before.</summary>
    /// <returns>The number of the change.</returns>
    public long StageDeletion()
    {
        lock (_lock)
        {
            _parts.Clear();
            return ++_last;
        }
    }

    /// <summary>Notes that all changes up to this one are durable. Once every staged change is durable, the bytes are dropped.</summary>
    public void Settle(long change)
    {
        lock (_lock)
        {
            _safe = Math.Max(_safe, change);
            if (_safe == _last)
                _parts.Clear();
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

    /// <inheritdoc/>
    public void Serialize(SerializationKey key)
    {
        lock (_lock)
        {
            foreach (var part in key.DirtyParts)
                Write(key, part, _parts.GetValueOrDefault(part));
            // Parts that were staged together leave in one batch, even those that are not marked as dirty yet.
            foreach (var (part, staged) in _parts)
            {
                if (!staged.IsTaken && !key.DirtyParts.Contains(part))
                    Write(key, part, staged);
            }

            foreach (var part in _parts.Keys)
                _parts[part] = _parts[part] with { IsTaken = true };
        }
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

    private static void Write(SerializationKey key, SubKey part, Staged staged)
    {
        if (staged.Bytes is { } bytes)
            System.Buffers.BuffersExtensions.Write(key.Write(part), bytes.Span);
        else
            key.Delete(part);
    }

    private readonly record struct Staged(ReadOnlyMemory<byte>? Bytes, bool IsTaken);
}
