namespace Stout.Argon.Caching;

/// <summary>A block of an object as one number: 24 bits name the object, 40 bits the block.</summary>
internal static class BlockKey
{
    public const int MaxObjects = 1 << 24;
    public const long MaxBlocks = 1L << 40;

    public static long Of(int objectId, long block) => ((long)objectId << 40) | block;

    public static int ObjectOf(long key) => (int)(key >> 40);

    public static long BlockOf(long key) => key & (MaxBlocks - 1);

    /// <summary>A hash of 64 well mixed bits (the finalizer of SplitMix64).</summary>
    public static ulong Hash(long key)
    {
        var mixed = unchecked((ulong)key + 0x9E3779B97F4A7C15);
        mixed = unchecked((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9);
        mixed = unchecked((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB);
        return mixed ^ (mixed >> 31);
    }
}
