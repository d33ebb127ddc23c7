using Stout.Storage;

namespace Stout.Lanes;

/// <content>Handles on deleted keys: they close before the store forgets the deletion.</content>
internal sealed partial class LaneCore
{
    private const int LeastTrim = 1024;

    private readonly Queue<(KeyHandle Handle, Stamp Deletion, TimeSpan Due)> _deleted = new();
    private int _trimDeletedAt = LeastTrim;

    private TimeSpan? NextDeletedClose => _deleted.TryPeek(out var first) ? first.Due : null;

    /// <summary>The handle's key is deleted in the store, under the stamp that the handle expects.</summary>
    private void NoteDeletion(KeyHandle handle, TimeSpan now)
    {
        if (_limits.DeletedHeaderRetention is not { } retention)
            return;
        if (_deleted.Count >= _trimDeletedAt)
            TrimDeleted();
        _deleted.Enqueue((handle, handle.Stored, now + (retention / 2)));
    }

    /// <summary>Lets go of handles that have been closed or written since; doubling the next size makes it cheap for each.</summary>
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

    /// <summary>The store forgets a deletion in the end; a handle that expects to find it must be gone by then.</summary>
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
