namespace Stout.Pacing;

/// <summary>One answered request to the store.</summary>
public readonly record struct StoreRequest
{
    /// <summary>Whether it wrote or read.</summary>
    public required StoreRequestKind Kind { get; init; }

    /// <summary>The number of keys in it.</summary>
    public required int Operations { get; init; }

    /// <summary>The bytes of the values sent or received.</summary>
    public required long Bytes { get; init; }

    /// <summary>When it was sent.</summary>
    public required TimeSpan SentAt { get; init; }

    /// <summary>When its answer came, or it was given up.</summary>
    public required TimeSpan AnsweredAt { get; init; }

    /// <summary>How it ended.</summary>
    public required StoreRequestOutcome Outcome { get; init; }

    /// <summary>How long the store asked to be left alone, where it did.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>The time that had really passed between the batch it left with and the one before.</summary>
    public required TimeSpan Interval { get; init; }

    /// <summary>Whether the batch that it left with could have left earlier, had there been anything to send.</summary>
    public bool ApplicationLimited { get; init; }

    /// <summary>The time from sending to answer, without any wait between attempts.</summary>
    public TimeSpan Latency => AnsweredAt - SentAt;
}
