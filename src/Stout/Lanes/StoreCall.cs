namespace Stout.Lanes;

/// <summary>A request to the store, of either kind.</summary>
internal abstract class StoreCall
{
    public TimeSpan SentAt { get; set; }

    /// <summary>The departure that the request belongs to.</summary>
    public Pacing.BatchDeparture Departure { get; set; }

    /// <summary>Whether an answer has come or the wait for it was given up.</summary>
    public bool IsOver { get; set; }

    /// <summary>Whether the answer may still come. It is not looked at, and the object can't be used again.</summary>
    public bool IsAbandoned { get; set; }

    /// <summary>Where the request stands while it is under way.</summary>
    public Place Place { get; set; }
}
