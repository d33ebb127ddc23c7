using Stout.Storage;

namespace Stout.SqlServer.Writing;

/// <summary>What the stored stamp says of a write that did not win its key.</summary>
internal static class StampCheck
{
    /// <param name="stored">The stored stamp; null for a damaged header.</param>
    /// <param name="write">The write.</param>
    /// <returns>What has become of it; unknown if it would be applied now: the key has changed between the attempt and the look at it.</returns>
    public static WriteOutcome Outcome(Stamp? stored, in KeyWrite write) => stored is { } stamp
        ? new(StampRule.Judge(stamp, write) ?? WriteOutcomeKind.Unknown)
        : WriteOutcome.Of(new StoreException(StoreErrorKind.Corrupt, "A header is none."));
}
