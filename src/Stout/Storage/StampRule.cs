namespace Stout.Storage;

/// <summary>The stamp rule: decides a write by the stored stamp, so that late, repeated and reordered requests do no harm.</summary>
public static class StampRule
{
    /// <summary>Compares a write with the stored stamp and owner.</summary>
    /// <param name="stored">The key's stored stamp; <see cref="Stamp.Absent"/> for an absent key.</param>
    /// <param name="owner">The key's owner, in stores that keep it separately; otherwise <see cref="KeyOwner.None"/>.</param>
    /// <param name="write">The write.</param>
    /// <returns>
    /// The outcome if the write is already decided: committed before, fenced, or in conflict. Null if the write is to be applied, in the same atomic
    /// step as this comparison.
    /// </returns>
    public static WriteOutcomeKind? Judge(in Stamp stored, in KeyOwner owner, in KeyWrite write)
    {
        if (stored == write.Next)
            return WriteOutcomeKind.Committed;
        if (Math.Max(stored.Epoch, owner.Epoch) > write.Next.Epoch)
            return WriteOutcomeKind.Fenced;
        return stored == write.Expected ? null : WriteOutcomeKind.Conflict;
    }

    /// <summary>Compares a write with the stored stamp, in stores without a separate owner.</summary>
    /// <param name="stored">The key's stored stamp; <see cref="Stamp.Absent"/> for an absent key.</param>
    /// <param name="write">The write.</param>
    /// <returns>The outcome if the write is already decided; null if the write is to be applied.</returns>
    public static WriteOutcomeKind? Judge(in Stamp stored, in KeyWrite write) => Judge(stored, KeyOwner.None, write);
}
