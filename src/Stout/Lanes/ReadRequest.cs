using Stout.Storage;

namespace Stout.Lanes;

/// <summary>One read request to the store.</summary>
internal sealed class ReadRequest
{
    public List<KeyFill> Fills { get; } = [];

    public ReadBatch Batch { get; } = new();

    public TimeSpan SentAt { get; init; }

    public Pacing.BatchDeparture Departure { get; init; }

    /// <summary>Whether an answer has come or the wait for it was given up.</summary>
    public bool IsOver { get; set; }

    /// <summary>Whether the answer may still come; it is not looked at.</summary>
    public bool IsAbandoned { get; set; }
}
