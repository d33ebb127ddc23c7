namespace SectionedDocuments.Figures;

/// <summary>The service's figures over the last second. Times are in milliseconds. A figure is null if the second has no data for it.</summary>
internal sealed record ServiceFigures
{
    /// <summary>The id of this run of the service. By a new id a client sees that the service was restarted.</summary>
    public required Guid Service { get; init; }

    /// <summary>The number of changes that have been acknowledged since the start. A client that keeps a document reads it again when this number grows.</summary>
    public required long AcknowledgedChanges { get; init; }

    /// <summary>Requests for documents, and edits of the development writers, answered per second.</summary>
    public required double RequestsPerSecond { get; init; }

    public required double? MeanLatency { get; init; }

    /// <summary>The 99th percentile of the requests' latency.</summary>
    public required double? HighLatency { get; init; }

    /// <summary>The time between two batches.</summary>
    public required double Interval { get; init; }

    /// <summary>The mean number of keys of a write request.</summary>
    public required double? BatchSize { get; init; }

    /// <summary>The share of acknowledged changes that shared the write of another change of the same document: 0 to 1.</summary>
    public required double? CollapsedShare { get; init; }

    /// <summary>The number of replies that wait until the state that they reveal is durable.</summary>
    public required int HeldReplies { get; init; }

    /// <summary>The number of documents with a change that is not durable yet.</summary>
    public required int DirtyKeys { get; init; }

    /// <summary>The age of the oldest change that is not durable yet; 0 if all changes are durable.</summary>
    public required double LongestWait { get; init; }

    /// <summary>Whether the store can't be reached, or gives no certain answers.</summary>
    public required bool StoreFailing { get; init; }

    /// <summary>Whether the store is stalled; null if the service has no means to stall the store.</summary>
    public required bool? Stalled { get; init; }

    /// <summary>The number of the service's own writers; null if the service can have no writers.</summary>
    public required int? Writers { get; init; }
}
