namespace Stout.Storage;

/// <summary>The rule that decides a claim by the stored header, for proxies.</summary>
public static class ClaimRule
{
    // A client can ask for half of all epochs, and each further claim takes one. A larger epoch would overflow some day, and the next one would be smaller.
    private const long LargestEpoch = KeyClaim.MaxAtLeastEpoch + (KeyClaim.MaxAtLeastEpoch / 2);

    /// <summary>Compares a claim with the stored header.</summary>
    /// <param name="stored">The stored header; the default if the store does not have the key.</param>
    /// <param name="claim">The claim.</param>
    /// <param name="epochFloor">The store partition's epoch floor: no header with a larger epoch was removed from it.</param>
    /// <exception cref="StoreException"><see cref="StoreErrorKind.Corrupt"/>: an epoch is so large that only damage can have caused it.</exception>
    /// <returns>
    /// The key's owner after the claim. If this is the stored owner, the claim was made before, and nothing is to be written. Null: fenced, since the store
    /// holds another header than the claim names.
    /// </returns>
    public static KeyOwner? Judge(in KeyHeader stored, KeyClaim claim, long epochFloor)
    {
        ArgumentNullException.ThrowIfNull(claim);
        if (stored.Owner.Claim == claim.Id)
            return stored.Owner;
        if (claim.OnlyIf is { } present && present != stored)
            return null;
        var last = Math.Max(stored.Owner.Epoch, epochFloor);
        if (last > LargestEpoch)
            throw new StoreException(StoreErrorKind.Corrupt, "An epoch is damaged: it is too large.");
        return new KeyOwner(Math.Max(last + 1, claim.AtLeastEpoch), claim.Id);
    }
}
