using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>What the outcomes of a request's keys say of the request as a whole: its worst, and what went over the wire.</summary>
internal struct AnswerSummary
{
    private StoreRequestOutcome _outcome;
    private TimeSpan? _retryAfter;
    private long _bytesRead;

    /// <summary>The worst outcome.</summary>
    public readonly StoreRequestOutcome Outcome => _outcome;

    /// <summary>The cause of the worst outcome.</summary>
    public Exception? Error { readonly get; private set; }

    /// <summary>Adds one key's outcome.</summary>
    /// <param name="outcome">The outcome.</param>
    /// <param name="isAlone">Whether the request has this key alone: a limit that it exceeds then says nothing of the store's load.</param>
    public void Add(in WriteOutcome outcome, bool isAlone) => Add(
        outcome.Kind switch
        {
            WriteOutcomeKind.Unknown => StoreRequestOutcome.Unknown,
            WriteOutcomeKind.Unreachable => StoreRequestOutcome.Unreachable,
            WriteOutcomeKind.Overloaded => StoreRequestOutcome.Overloaded,
            WriteOutcomeKind.LimitExceeded when !isAlone => StoreRequestOutcome.Overloaded,
            _ => StoreRequestOutcome.Answered,
        },
        outcome.Error,
        outcome.Kind == WriteOutcomeKind.Busy ? null : outcome.RetryAfter);

    /// <inheritdoc cref="Add(in WriteOutcome, bool)"/>
    public void Add(in ReadOutcome outcome, bool isAlone)
    {
        for (var i = 0; i < outcome.Parts.Count; i++)
            _bytesRead += outcome.Parts[i].Value.Length;
        Add(
            outcome.Kind switch
            {
                ReadOutcomeKind.Unknown => StoreRequestOutcome.Unknown,
                ReadOutcomeKind.Unreachable => StoreRequestOutcome.Unreachable,
                ReadOutcomeKind.Overloaded => StoreRequestOutcome.Overloaded,
                ReadOutcomeKind.LimitExceeded when !isAlone => StoreRequestOutcome.Overloaded,
                _ => StoreRequestOutcome.Answered,
            },
            outcome.Error,
            outcome.Kind == ReadOutcomeKind.Busy ? null : outcome.RetryAfter);
    }

    public readonly StoreRequest ToRequest(WriteRequest request, TimeSpan now) =>
        ToRequest(StoreRequestKind.Write, request.Count, request.Batch.Bytes, request.SentAt, now, request.Departure);

    public readonly StoreRequest ToRequest(ReadRequest request, TimeSpan now) =>
        ToRequest(StoreRequestKind.Read, request.Fills.Count, _bytesRead, request.SentAt, now, request.Departure);

    private readonly StoreRequest ToRequest(
        StoreRequestKind kind, int operations, long bytes, TimeSpan sentAt, TimeSpan answeredAt, in BatchDeparture departure) => new()
    {
        Kind = kind,
        Operations = operations,
        Bytes = bytes,
        SentAt = sentAt,
        AnsweredAt = answeredAt,
        Outcome = _outcome,
        RetryAfter = _retryAfter,
        Interval = departure.Interval,
        ApplicationLimited = departure.ApplicationLimited,
    };

    // Outcomes are declared from the best to the worst.
    private void Add(StoreRequestOutcome outcome, Exception? error, TimeSpan? retryAfter)
    {
        if (retryAfter > (_retryAfter ?? TimeSpan.Zero))
            _retryAfter = retryAfter;
        if (outcome <= _outcome)
            return;
        _outcome = outcome;
        Error = error;
    }
}
