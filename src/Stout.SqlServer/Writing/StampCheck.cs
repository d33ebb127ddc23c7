using Stout.Storage;

namespace Stout.SqlServer.Writing;

/// <summary>Decides a write whose header update failed, by the stored header.</summary>
internal static class StampCheck
{
    /// <param name="stored">The stored version and owner; null for a damaged header.</param>
    /// <param name="write">The write.</param>
    /// <returns>The outcome. Unknown if the write would be applied now: the key changed between the attempt and the read of its header.</returns>
    public static WriteOutcome Outcome(KeyHeader? stored, in KeyWrite write)
    {
        return stored is { } header
            ? StampRule.Judge(header, write) ?? new WriteOutcome(WriteOutcomeKind.Unknown)
            : WriteOutcome.Of(new StoreException(StoreErrorKind.Corrupt, "A header is none."));
    }
}
