using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>Decides when each fill's key is read, and with which other keys: first reads, reads of busy keys, and repeats of reads that timed out.</summary>
/// <param name="options">Validated options.</param>
/// <param name="limits">The store's limits.</param>
/// <param name="requests">The read requests in flight.</param>
/// <param name="retryDelay">The delays of busy keys.</param>
/// <param name="isGivenUp">Returns whether a fill has ended, and ends abandoned fills.</param>
internal sealed class FillReads(
    StoutOptions options, StorageLimits limits, RequestsInFlight<ReadRequest> requests, RetryDelay retryDelay, Func<KeyFill, bool> isGivenUp)
{
    // A call whose answer is no longer used keeps its memory until it ends. At this number of such calls, a key's next read waits for the end of one.
    // More than one, since a call may hang.
    private const int MostLateReads = 2;

    private readonly ReadQueue _first = new(isGivenUp);

    // Fills whose read timed out. They are read again in smaller requests, outside the law's in-flight limit.
    private readonly ReadQueue _again = new(isGivenUp);
    private readonly PriorityQueue<KeyFill, TimeSpan> _busy = new();

    /// <summary>Bounds the bytes of reads in progress.</summary>
    public ReadBudget Budget { get; } = new(limits.MaxBatchBytes, options.MaxUndurableBytes);

    /// <summary>Whether fills wait to be read.</summary>
    public bool IsWaiting => _first.First is not null || _again.First is not null;

    public bool CanSend => CanSendFirst || CanSendAgain;

    /// <summary>The time at which the next busy key is read again.</summary>
    public TimeSpan? NextBusy => _busy.TryPeek(out _, out var due) ? due : null;

    private bool CanSendFirst => requests.HasRoom && _first.First is not null && Budget.HasRoom(0);

    private bool CanSendAgain => _again.First is not null && requests.HasRoomForRepeat && Budget.HasRoom(0);

    public void Add(KeyFill fill) => _first.Add(fill);

    /// <summary>Has a key read again after an error.</summary>
    /// <param name="fill">The fill.</param>
    /// <param name="outcome">The outcome of the read.</param>
    /// <param name="keys">The number of keys of the request.</param>
    /// <param name="now">The time.</param>
    public void Retry(KeyFill fill, in ReadOutcome outcome, int keys, TimeSpan now)
    {
        Budget.End(fill);
        if (outcome.Kind == ReadOutcomeKind.Busy || (outcome.Kind == ReadOutcomeKind.LimitExceeded && keys == 1))
        {
            HoldBack(fill, outcome, now);
            return;
        }

        if (outcome.Kind == ReadOutcomeKind.Unknown)
            fill.MostTogether = RequestSize.PieceOf(keys);
        if (fill.LateReads >= MostLateReads)
        {
            // The deadline of the wait for sending still holds.
            fill.AwaitsLateRead = fill.IsWaiting = true;
            return;
        }

        (fill.MostTogether < int.MaxValue ? _again : _first).Add(fill);
    }

    /// <summary>Takes up the fills that waited for the end of an abandoned read.</summary>
    public void EndLate(ReadRequest request)
    {
        foreach (var fill in request.Fills)
        {
            fill.LateReads--;
            if (!fill.AwaitsLateRead)
                continue;
            fill.AwaitsLateRead = false;
            if (!isGivenUp(fill))
                _again.Add(fill);
        }
    }

    /// <summary>Queues busy keys whose delay has ended.</summary>
    public void TakeUpBusy(TimeSpan now)
    {
        while (_busy.TryPeek(out var fill, out var due) && due <= now)
        {
            _busy.Dequeue();
            if (!isGivenUp(fill))
                _first.Add(fill);
        }
    }

    public void Send(BatchDeparture departure, TimeSpan now)
    {
        while (CanSendAgain)
            Send(_again, departure, now);
        while (CanSendFirst)
            Send(_first, departure, now);
    }

    private void Send(ReadQueue reads, BatchDeparture departure, TimeSpan now)
    {
        var request = new ReadRequest { Departure = departure };
        var most = Math.Min(limits.MaxBatchKeys, requests.MostKeys);
        while (request.Fills.Count < most && reads.First is { } fill && Budget.HasRoom(request.Fills.Count))
        {
            // A read that timed out is repeated with fewer other keys, or alone.
            if (fill.MostTogether <= request.Fills.Count)
                break;
            most = Math.Min(most, fill.MostTogether);
            reads.Take();
            Budget.Begin(fill);
            request.Fills.Add(fill);
            fill.Request = request;
            request.Batch.Add(new KeyRead(fill.Handle.Key, fill.Claim is null ? KeyReadKind.Peek : KeyReadKind.Claim, fill.Claim) { Bounds = options });
        }

        requests.Send(request, isRepeat: ReferenceEquals(reads, _again), now);
    }

    private void HoldBack(KeyFill fill, in ReadOutcome outcome, TimeSpan now)
    {
        fill.BusyAttempts++;
        fill.BusyCause = outcome.Error;
        fill.IsWaiting = true;
        _busy.Enqueue(fill, TimeLimits.Earlier(now + retryDelay.After(fill.BusyAttempts, outcome.RetryAfter), fill.RequestedAt + options.UnreachableTimeout));
    }
}
