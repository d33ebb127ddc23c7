namespace Stout.Argon.Caching;

/// <summary>The order in which a partition gives up its blocks.</summary>
public enum EvictionKind
{
    /// <summary>Evicts the least recently used block. Its profile is exact for every size.</summary>
    Lru,

    /// <summary>SIEVE: evicts blocks that were referenced once before blocks that were referenced again, so a scan keeps the working set.</summary>
    Sieve,
}
