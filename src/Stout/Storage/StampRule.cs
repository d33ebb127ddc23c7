namespace Stout.Storage;

/// <summary>The rule that decides a write by the stored header, for proxies. It makes late, repeated and reordered requests harmless.</summary>
public static class StampRule
{
    /// <summary>Compares a write with the stored header.</summary>
    /// <param name="stored">The key's header; the default if the store does not have the key.</param>
    /// <param name="write">The write.</param>
    /// <returns>
    /// The outcome if the write is already decided: committed before (without a token), fenced with the stored epoch, or in conflict. Null if the write
    /// is to be applied, in the same atomic step as this comparison.
    /// </returns>
    public static WriteOutcome? Judge(in KeyHeader stored, in KeyWrite write)
    {
        // The write was applied before. A later claim of the key does not matter, since it leaves the version alone.
        if (stored.Version == write.Next)
            return new WriteOutcome(WriteOutcomeKind.Committed);
        if (stored.Owner != write.Owner)
            return WriteOutcome.FencedBy(stored.Owner);
        return stored.Version == write.Expected ? null : new WriteOutcome(WriteOutcomeKind.Conflict);
    }
}
