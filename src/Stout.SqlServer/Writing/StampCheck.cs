using Stout.Storage;

namespace Stout.SqlServer.Writing;

/// <summary>Decides a write whose header update failed, by the stored stamp.</summary>
internal static class StampCheck
{
    /// <param name="stored">The stored stamp; null for a damaged header.</param>
    /// <param name="write">The write.</param>
    /// <returns>The outcome. Unknown if the write would be applied now: the key changed between the attempt and the read of its stamp.</returns>
    public static WriteOutcome Outcome(Stamp? stored, in KeyWrite write) => stored is { } stamp
        ? new(StampRule.Judge(stamp, write) ?? WriteOutcomeKind.Unknown)
        : WriteOutcome.Of(new StoreException(StoreErrorKind.Corrupt, "A header is none."));
}
