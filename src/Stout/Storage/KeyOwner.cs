namespace Stout.Storage;

/// <summary>The owner of a key, in stores that keep it beside the key's version, which is the stamp of its last write.</summary>
/// <param name="Epoch">Number of the ownership; it grows with every change of owner. 0 where no owner is known.</param>
/// <param name="Claim">The id of the claim that made this owner. Default: none is kept.</param>
public readonly record struct KeyOwner(long Epoch, Guid Claim = default)
{
    /// <summary>No owner: the key's stamp alone says under which epoch it was written.</summary>
    public static KeyOwner None => default;
}
