using Stout.Storage;

namespace Stout.Lanes;

/// <summary>A store that refuses every request.</summary>
/// <param name="Error">Why.</param>
/// <param name="At">When it last did.</param>
internal sealed record StoreRefusal(StoreException Error, TimeSpan At)
{
    /// <summary>
    /// An instance that is not ready gets no requests, and would never learn that the store has been mended. After this time it is ready again, and its
    /// next request finds out.
    /// </summary>
    private static readonly TimeSpan Lasts = TimeSpan.FromSeconds(30);

    /// <summary>Whether it counts at a time.</summary>
    public bool Holds(TimeSpan now) => Error.Scope == StoreErrorScope.Client || now - At < Lasts;
}
