namespace Stout.Argon.Tests.Caching;

/// <summary>References that a service makes to its blocks.</summary>
internal static class References
{
    /// <summary>Powers of a uniform variable: a few blocks take most references, and every size has its own hit rate.</summary>
    public static IEnumerable<(long Key, bool Write)> Skewed(int seed, int references, int blocks)
    {
        var random = new Random(seed);
        for (var i = 0; i < references; i++)
            yield return ((long)(Math.Pow(random.NextDouble(), 3) * blocks), random.Next(4) == 0);
    }
}
