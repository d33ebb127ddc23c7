namespace Stout.Lanes.Core;

/// <summary>A read or write request to the store.</summary>
internal abstract class StoreCall
{
    /// <summary>Identifies the present use of a pooled object; 0 if the object is not pooled.</summary>
    public long Run { get; protected set; }

    public TimeSpan SentAt { get; set; }

    /// <summary>The departure of the request's batch.</summary>
    public Pacing.BatchDeparture Departure { get; set; }

    /// <summary>Whether the request was answered or abandoned.</summary>
    public bool IsOver { get; set; }

    /// <summary>Whether the request was abandoned. A late answer is ignored, and the object is not reused.</summary>
    public bool IsAbandoned { get; set; }

    /// <summary>The request's category while it is in flight.</summary>
    public Place Place { get; set; }
}
