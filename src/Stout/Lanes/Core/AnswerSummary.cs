using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>Summarizes the outcomes of a request's keys: the worst outcome, and the numbers of keys and bytes read.</summary>
internal struct AnswerSummary
{
    private StoreRequestOutcome _outcome;
    private TimeSpan? _retryAfter;
    private long _bytesRead;
    private int _keysRead;
    private int _keys;
    private int _keysRefused;
    private StoreException? _refusal;

    /// <summary>The worst outcome.</summary>
    public readonly StoreRequestOutcome Outcome => _outcome;

    /// <summary>
    /// The number of keys without an answer of their own. Their request timed out, did not reach the store, was refused for overload, or exceeded a
    /// limit of the store.
    /// </summary>
    public int NotAnswered { readonly get; private set; }

    /// <summary>The number of keys read, and their bytes.</summary>
    public readonly (int Keys, long Bytes) Read => (_keysRead, _bytesRead);

    /// <summary>The store's reason for refusing every key of the request; null if any key had another outcome.</summary>
    public readonly StoreException? Refusal => _keysRefused == _keys ? _refusal : null;

    /// <summary>The cause of the worst outcome.</summary>
    public Exception? Error { readonly get; private set; }

    /// <summary>Adds one key's outcome.</summary>
    /// <param name="outcome">The outcome.</param>
    /// <remarks>
    /// A request that exceeds a limit of the store says nothing about load: the pacing law takes it as answered, and smaller requests follow.
    /// </remarks>
    public void Add(in WriteOutcome outcome) => Add(outcome.Kind, outcome.Error, outcome.RetryAfter);

    /// <inheritdoc cref="Add(in WriteOutcome)"/>
    public void Add(in ReadOutcome outcome)
    {
        if (outcome.Kind == ReadOutcomeKind.Read)
            _keysRead++;
        for (var i = 0; i < outcome.Parts.Count; i++)
            _bytesRead += outcome.Parts[i].Value.Length;
        Add((WriteOutcomeKind)outcome.Kind, outcome.Error, outcome.RetryAfter);
    }

    public readonly StoreRequest ToRequest(WriteRequest request, TimeSpan now) =>
        ToRequest(StoreRequestKind.Write, request.Count, request.Batch.Bytes, request.SentAt, now, request.Departure);

    public readonly StoreRequest ToRequest(ReadRequest request, TimeSpan now) =>
        ToRequest(StoreRequestKind.Read, request.Batch.Count, _bytesRead, request.SentAt, now, request.Departure);

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

    // The members of StoreRequestOutcome are ordered from the best outcome to the worst.
    private void Add(WriteOutcomeKind kind, Exception? error, TimeSpan? retryAfter)
    {
        var outcome = kind switch
        {
            WriteOutcomeKind.Unknown => StoreRequestOutcome.Unknown,
            WriteOutcomeKind.Unreachable => StoreRequestOutcome.Unreachable,
            WriteOutcomeKind.Overloaded => StoreRequestOutcome.Overloaded,
            _ => StoreRequestOutcome.Answered,
        };
        _keys++;
        if (outcome == StoreRequestOutcome.Answered && error is StoreException { Scope: not StoreErrorScope.Request } refusal)
        {
            _keysRefused++;
            _refusal = refusal;
        }

        if (outcome != StoreRequestOutcome.Answered || kind == WriteOutcomeKind.LimitExceeded)
            NotAnswered++;
        if (kind != WriteOutcomeKind.Busy && retryAfter > (_retryAfter ?? TimeSpan.Zero))
            _retryAfter = retryAfter;
        if (outcome <= _outcome)
            return;
        _outcome = outcome;
        Error = error;
    }
}
