namespace Stout.Argon.Caching;

/// <summary>The order in which a partition gives up its blocks.</summary>
public enum EvictionKind
{
    /// <summary>Evicts the least recently used block. A service's profile is computed for all cache sizes in one pass, from a sample of the blocks.</summary>
    Lru,

    /// <summary>SIEVE: evicts blocks that were referenced once before blocks that were referenced again, so a scan keeps the working set.</summary>
    Sieve,
}
