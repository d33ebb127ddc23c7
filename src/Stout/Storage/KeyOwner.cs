namespace Stout.Storage;

/// <summary>The owner of a key, in stores that keep the owner separately from the stamp of the last write.</summary>
/// <param name="Epoch">The number of the ownership, which grows with every change of owner. 0 without a known owner.</param>
/// <param name="Claim">The id of the claim that created this owner. Default: no claim is stored.</param>
public readonly record struct KeyOwner(long Epoch, Guid Claim = default)
{
    /// <summary>No owner: the stamp alone gives the key's epoch.</summary>
    public static KeyOwner None => default;
}
