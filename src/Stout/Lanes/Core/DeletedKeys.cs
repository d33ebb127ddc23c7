using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>
/// Closes handles of deleted keys before the store forgets the deletion. A later write through such a handle would find no header with the expected stamp.
/// </summary>
internal sealed class DeletedKeys(DependencyMap map, StorageLimits limits)
{
    private const int LeastTrim = 1024;

    private readonly Queue<(KeyHandle Handle, Stamp Deletion, TimeSpan Due)> _deleted = new();
    private int _trimAt = LeastTrim;

    /// <summary>The time at which the next handle is due.</summary>
    public TimeSpan? Next => _deleted.TryPeek(out var first) ? first.Due : null;

    /// <summary>Records that the handle's key is deleted in the store, under the handle's stamp.</summary>
    public void Add(KeyHandle handle, TimeSpan now)
    {
        if (limits.DeletedHeaderRetention is not { } retention)
            return;
        if (_deleted.Count >= _trimAt)
            Trim();
        _deleted.Enqueue((handle, handle.Stored, now + (retention / 2)));
    }

    /// <summary>Closes the handles that are due.</summary>
    public void Close(TimeSpan now)
    {
        while (_deleted.TryPeek(out var first) && first.Due <= now)
        {
            _deleted.Dequeue();
            if (first.Handle is { Phase: KeyPhase.Open, Work: null } handle && handle.Stored == first.Deletion)
                map.Remove(handle, null);
        }
    }

    /// <summary>
    /// Drops the entries of handles that were closed or written since their deletion. Trimming at doubled sizes keeps the amortized cost constant.
    /// </summary>
    private void Trim()
    {
        for (var left = _deleted.Count; left > 0; left--)
        {
            var entry = _deleted.Dequeue();
            if (!entry.Handle.IsClosed && entry.Handle.Stored == entry.Deletion)
                _deleted.Enqueue(entry);
        }

        _trimAt = Math.Max(LeastTrim, 2 * _deleted.Count);
    }
}
