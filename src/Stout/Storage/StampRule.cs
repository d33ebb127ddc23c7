namespace Stout.Storage;

/// <summary>The rule that decides a write by the stored header, for proxies. It makes late, repeated and reordered requests harmless.</summary>
public static class StampRule
{
    /// <summary>Compares a write with the stored header.</summary>
    /// <param name="stored">The key's header; the default if the store does not have the key.</param>
    /// <param name="write">The write.</param>
    /// <returns>
    /// The outcome if the write is already decided: committed before, fenced, or in conflict. Null if the write is to be applied, in the same atomic
    /// step as this comparison.
    /// </returns>
    public static WriteOutcomeKind? Judge(in KeyHeader stored, in KeyWrite write)
    {
        // Applied before. A later claim of the key does not matter.
        if (stored.Version == write.Next)
            return WriteOutcomeKind.Committed;
        if (stored.Owner != write.Owner)
            return WriteOutcomeKind.Fenced;
        return stored.Version == write.Expected ? null : WriteOutcomeKind.Conflict;
    }

    /// <summary>Compares a write with the stored stamp of a store that keeps no owners.</summary>
    /// <param name="stored">The key's stored stamp; <see cref="Stamp.Absent"/> if the store does not have the key.</param>
    /// <param name="write">The write.</param>
    /// <returns>The outcome if the write is already decided; null if it is to be applied.</returns>
    public static WriteOutcomeKind? Judge(in Stamp stored, in KeyWrite write) => Judge(new KeyHeader(stored, KeyOwner.None), write);
}
