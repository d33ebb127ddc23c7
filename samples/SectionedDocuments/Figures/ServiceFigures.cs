namespace SectionedDocuments.Figures;

/// <summary>How the service does, over the last second. Times are in milliseconds; null where nothing happened to tell it from.</summary>
internal sealed record ServiceFigures
{
    /// <summary>Another one after every start of the service: a client sees by it that the service was restarted.</summary>
    public required Guid Service { get; init; }

    /// <summary>Requests for documents answered per second.</summary>
    public required double RequestsPerSecond { get; init; }

    public required double? MeanLatency { get; init; }

    /// <summary>99 of 100 requests took no longer.</summary>
    public required double? HighLatency { get; init; }

    /// <summary>Between two batches.</summary>
    public required double Interval { get; init; }

    /// <summary>Keys in one write request.</summary>
    public required double? BatchSize { get; init; }

    /// <summary>The share of acknowledged changes that needed no write of their own, since another of the same document took them along: 0 to 1.</summary>
    public required double? CollapsedShare { get; init; }

    /// <summary>Replies held until what they depend on is durable.</summary>
    public required int HeldReplies { get; init; }

    /// <summary>Documents with a change that is not durable yet.</summary>
    public required int DirtyKeys { get; init; }

    /// <summary>The age of the oldest change that is not durable yet; 0 if all are.</summary>
    public required double LongestWait { get; init; }

    /// <summary>Whether the store can't be reached, or gives no certain answers.</summary>
    public required bool StoreFailing { get; init; }

    /// <summary>Whether the store is stalled; null where that can't be done.</summary>
    public required bool? Stalled { get; init; }

    /// <summary>The number of the service's own writers; null if it can have no writers.</summary>
    public required int? Writers { get; init; }
}
