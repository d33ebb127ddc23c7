namespace Stout.Storage;

/// <summary>A request for the ownership of a key. The claim's id makes a repeated request harmless.</summary>
/// <param name="Id">128 random bits, new with every claim. Empty: the key's claim is reset, so that writers without a claim can write it again.</param>
/// <param name="AtLeastEpoch">The least epoch that the new owner gets. 0 or more; with 0, the owner gets the next epoch.</param>
public sealed record KeyClaim(Guid Id, long AtLeastEpoch = 0)
{
    /// <summary>The largest <see cref="AtLeastEpoch"/>, so that epochs never overflow.</summary>
    public const long MaxAtLeastEpoch = long.MaxValue / 2;

    /// <summary>The header that the store has to hold; otherwise the claim is fenced and changes nothing. Null: any header.</summary>
    public KeyHeader? OnlyIf { get; init; }

    /// <summary>
    /// Whether the claim reads the key's parts. A claimant that names the header already knows the parts, and a reset does not need them.
    /// </summary>
    public bool ReadsParts => OnlyIf is null && Id != Guid.Empty;
}
