using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>The last refusal of a store that refuses every request.</summary>
/// <param name="Error">The store's error.</param>
/// <param name="At">The time of the last refusal.</param>
internal sealed record StoreRefusal(StoreException Error, TimeSpan At)
{
    /// <summary>
    /// The time for which a refusal counts. A service instance that reports itself as not ready gets no requests, so it could not notice the repair. After
    /// this time it reports ready again, and its next request tests the store.
    /// </summary>
    private static readonly TimeSpan Lasts = TimeSpan.FromSeconds(30);

    /// <summary>Whether the refusal still counts at the given time.</summary>
    public bool Holds(TimeSpan now) => Error.Scope == StoreErrorScope.Client || now - At < Lasts;
}
