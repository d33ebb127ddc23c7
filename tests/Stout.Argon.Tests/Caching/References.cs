namespace Stout.Argon.Tests.Caching;

/// <summary>References that a service makes to its blocks.</summary>
internal static class References
{
    /// <summary>
    /// References to block numbers that are the cubes of uniform random numbers. A few blocks get most references, and every cache size has a different hit
    /// rate.
    /// </summary>
    public static IEnumerable<(long Key, bool Write)> Skewed(int seed, int references, int blocks)
    {
        var random = new Random(seed);
        for (var i = 0; i < references; i++)
            yield return ((long)(Math.Pow(random.NextDouble(), 3) * blocks), random.Next(4) == 0);
    }
}
