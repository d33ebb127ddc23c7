using Stout.Orleans.Chaos.Grains;

namespace Stout.Orleans.Chaos.Load;

/// <summary>An answer that a client has got.</summary>
/// <param name="Document">The document.</param>
/// <param name="Written">The value that was written; null for a read.</param>
/// <param name="View">The document before a write, or as it was read.</param>
/// <param name="IsConfirmed">For a read: whether the ownership was confirmed.</param>
/// <param name="Invoked">When the client asked, by the machine's monotonic clock.</param>
/// <param name="Returned">When the client had the answer, by the same clock.</param>
internal sealed record Observation(string Document, string? Written, View View, bool IsConfirmed, long Invoked, long Returned)
{
    /// <summary>The least number of values that the document had when the answer came.</summary>
    public int Length => View.Length + (Written is null ? 0 : 1);
}
