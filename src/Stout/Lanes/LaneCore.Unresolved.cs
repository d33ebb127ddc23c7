using Stout.Storage;

namespace Stout.Lanes;

/// <content>Writes of unknown outcome: the same keys, stamps and bytes again, until the store's stamps settle them.</content>
internal sealed partial class LaneCore
{
    /// <summary>
    /// Bounds how many pieces a request of unknown outcome is repeated in. With 64, the second time-out concerns a 64th of the keys, and the
    /// third a single one of up to 4,096: so within two time-outs the key at fault stands alone.
    /// </summary>
    private const int MostPieces = 64;

    private readonly PriorityQueue<WriteRequest, TimeSpan> _unresolved = new();
    private readonly List<WriteRequest> _repeats = [];

    private TimeSpan? NextResend => _unresolved.TryPeek(out _, out var due) ? Later(due, _gate.HeldUntil) : null;

    private static int PieceOf(int keys) => Math.Max(1, keys / MostPieces);

    /// <summary>
    /// Whether it still is unknown what became of a write. Once it is, only the store's stamps can settle it: that a later attempt was
    /// not taken says nothing of the earlier one.
    /// </summary>
    private static bool IsUnresolved(WriteOutcomeKind outcome, WriteRequest request) => outcome switch
    {
        WriteOutcomeKind.Unknown => true,
        WriteOutcomeKind.Committed or WriteOutcomeKind.Conflict or WriteOutcomeKind.Fenced => false,
        _ => request.UnknownAttempts > 0,
    };

    private void AddToRepeat(WriteRequest request, int index, Exception? cause, TimeSpan now)
    {
        if (_repeats.Count == 0 || _repeats[^1].Count >= PieceOf(request.Count))
        {
            var repeat = NewRequest();
            repeat.Departure = request.Departure;
            repeat.UnknownAttempts = request.UnknownAttempts + 1;
            _repeats.Add(repeat);
        }

        var entry = request[index];
        _map.BecomesUnknown(entry.Work, cause, now);
        _repeats[^1].Add(entry, request.Batch[index], request.Batch.PartsOf(index));
    }

    private void RestRepeat(TimeSpan now)
    {
        foreach (var repeat in _repeats)
            _unresolved.Enqueue(repeat, now + _retryDelay.After(repeat.UnknownAttempts));
        _repeats.Clear();
    }

    private void ResendUnresolved(TimeSpan now)
    {
        while (_unresolved.TryPeek(out var waiting, out var due))
        {
            if (HasOpenKey(waiting) && (Later(due, _gate.HeldUntil) > now || !_writes.HasRoomForRepeat))
                return;
            _unresolved.Dequeue();
            var request = NewRequest();
            request.Departure = waiting.Departure;
            request.UnknownAttempts = waiting.UnknownAttempts;
            for (var i = 0; i < waiting.Count; i++)
            {
                if (waiting[i].Work.Handle.IsClosed)
                    Done(waiting[i].Source);
                else
                    request.Add(waiting[i], waiting.Batch[i], waiting.Batch.PartsOf(i));
            }

            Recycle(waiting);
            Send(request, now);
        }
    }

    private static bool HasOpenKey(WriteRequest request)
    {
        for (var i = 0; i < request.Count; i++)
        {
            if (!request[i].Work.Handle.IsClosed)
                return true;
        }

        return false;
    }
}
