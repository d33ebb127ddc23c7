using Stout.Storage;

namespace Stout.Lanes.Core;

/// <content>Closes handles of deleted keys before the store forgets the deletion.</content>
internal sealed partial class LaneCore
{
    private const int LeastTrim = 1024;

    private readonly Queue<(KeyHandle Handle, Stamp Deletion, TimeSpan Due)> _deleted = new();
    private int _trimDeletedAt = LeastTrim;

    private TimeSpan? NextDeletedClose => _deleted.TryPeek(out var first) ? first.Due : null;

    /// <summary>Records that the handle's key is deleted in the store, under the handle's stamp.</summary>
    private void NoteDeletion(KeyHandle handle, TimeSpan now)
    {
        if (_limits.DeletedHeaderRetention is not { } retention)
            return;
        if (_deleted.Count >= _trimDeletedAt)
            TrimDeleted();
        _deleted.Enqueue((handle, handle.Stored, now + (retention / 2)));
    }

    /// <summary>
    /// Drops the entries of handles that were closed or written since their deletion. Trimming at doubled sizes keeps the amortized cost constant.
    /// </summary>
    private void TrimDeleted()
    {
        for (var left = _deleted.Count; left > 0; left--)
        {
            var entry = _deleted.Dequeue();
            if (!entry.Handle.IsClosed && entry.Handle.Stored == entry.Deletion)
                _deleted.Enqueue(entry);
        }

        _trimDeletedAt = Math.Max(LeastTrim, 2 * _deleted.Count);
    }

    /// <summary>
    /// Closes handles before the store forgets their deletions. A later write through such a handle would find no header with the expected stamp.
    /// </summary>
    private void CloseDeletedHandles(TimeSpan now)
    {
        while (_deleted.TryPeek(out var first) && first.Due <= now)
        {
            _deleted.Dequeue();
            if (first.Handle is { Phase: KeyPhase.Open, Work: null } handle && handle.Stored == first.Deletion)
                _map.Remove(handle, null);
        }
    }
}
