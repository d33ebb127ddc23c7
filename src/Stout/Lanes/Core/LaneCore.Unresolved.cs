using Stout.Storage;

namespace Stout.Lanes.Core;

/// <content>Repeats writes of unknown outcome with the same keys, stamps and bytes until the stored stamps settle them.</content>
internal sealed partial class LaneCore
{
    /// <summary>
    /// A request of unknown outcome is repeated in requests of a 64th of its keys, rounded down, but at least one key. So the second time-out isolates
    /// one key among up to 4,096.
    /// </summary>
    private const int MostPieces = 64;

    private readonly PriorityQueue<WriteRequest, TimeSpan> _unresolved = new();
    private readonly List<WriteRequest> _repeats = [];

    private TimeSpan? NextResend => _unresolved.TryPeek(out _, out var due) ? Later(due, _gate.HeldUntil) : null;

    private static int PieceOf(int keys) => Math.Max(1, keys / MostPieces);

    /// <summary>
    /// Whether a write's outcome is still unknown. A later refused attempt does not settle an earlier lost one; only the stored stamp does.
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

        var work = request[index];
        _map.BecomesUnknown(work, cause, now);
        _repeats[^1].Add(work, request.Batch[index], request.Batch.PartsOf(index));
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
                if (waiting[i].Handle.IsClosed)
                    Done(waiting[i]);
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
            if (!request[i].Handle.IsClosed)
                return true;
        }

        return false;
    }
}
