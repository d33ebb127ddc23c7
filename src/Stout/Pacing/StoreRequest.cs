namespace Stout.Pacing;

/// <summary>One answered or abandoned request to the store, as it is reported to a pacing law.</summary>
public readonly record struct StoreRequest
{
    /// <summary>The kind of request: write or read.</summary>
    public required StoreRequestKind Kind { get; init; }

    /// <summary>The number of keys in the request.</summary>
    public required int Operations { get; init; }

    /// <summary>The bytes of the values sent or received.</summary>
    public required long Bytes { get; init; }

    /// <summary>The time of sending.</summary>
    public required TimeSpan SentAt { get; init; }

    /// <summary>The time of the answer, or of the time-out.</summary>
    public required TimeSpan AnsweredAt { get; init; }

    /// <summary>The outcome.</summary>
    public required StoreRequestOutcome Outcome { get; init; }

    /// <summary>The delay that the store asked for, or null.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>The actual time between the request's batch and the batch before it.</summary>
    public required TimeSpan Interval { get; init; }

    /// <summary>Whether the request's batch could have left earlier, but there was nothing to send.</summary>
    public bool ApplicationLimited { get; init; }

    /// <summary>The time from sending to the answer, of this attempt only.</summary>
    public TimeSpan Latency => AnsweredAt - SentAt;
}
