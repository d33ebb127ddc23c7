namespace Stout.Argon.Caching;

/// <summary>The order in which a partition gives up its blocks.</summary>
public enum EvictionKind
{
    /// <summary>The least recently used block goes first. Its profile is exact for every size.</summary>
    Lru,

    /// <summary>SIEVE: blocks that were referenced once go before blocks that were referenced again, so a scan leaves the working set alone.</summary>
    Sieve,
}
