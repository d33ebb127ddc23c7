namespace Stout.Storage;

/// <summary>The rule of the stamps, for proxies: what the stored stamp says of a write. It makes late, repeated and reordered requests harmless.</summary>
public static class StampRule
{
    /// <summary>Compares a write with what the store holds.</summary>
    /// <param name="stored">The key's stored stamp; <see cref="Stamp.Absent"/> if the store does not have the key.</param>
    /// <param name="owner">The key's owner in the store, where that is kept beside the stamp; otherwise <see cref="KeyOwner.None"/>.</param>
    /// <param name="write">The write.</param>
    /// <returns>
    /// What has become of the write: committed before, fenced, or in conflict. Null: the write is to be applied, provided that the comparison and
    /// the write are one step.
    /// </returns>
    public static WriteOutcomeKind? Judge(in Stamp stored, in KeyOwner owner, in KeyWrite write)
    {
        if (stored == write.Next)
            return WriteOutcomeKind.Committed;
        if (Math.Max(stored.Epoch, owner.Epoch) > write.Next.Epoch)
            return WriteOutcomeKind.Fenced;
        return stored == write.Expected ? null : WriteOutcomeKind.Conflict;
    }

    /// <summary>Compares a write with the stored stamp of a store that keeps no owner beside it.</summary>
    /// <param name="stored">The key's stored stamp; <see cref="Stamp.Absent"/> if the store does not have the key.</param>
    /// <param name="write">The write.</param>
    /// <returns>What has become of the write; null: it is to be applied.</returns>
    public static WriteOutcomeKind? Judge(in Stamp stored, in KeyWrite write) => Judge(stored, KeyOwner.None, write);
}
