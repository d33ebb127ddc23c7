using Stout.Argon.Caching;

namespace Stout.Argon.Tests.Caching;

/// <summary>The memory of profiles. Runs alone, since the test measures the heap of the whole process.</summary>
[Collection(nameof(Alone))]
public sealed class ProfileMemoryTests
{
    [Fact]
    public void A_profile_of_a_service_takes_less_than_a_mebibyte()
    {
        foreach (var create in new Func<IServiceProfile>[] { () => LruProfile.Sampled(262_144), () => new MiniatureProfile(EvictionKind.Sieve, 262_144, 1) })
        {
            var profile = create();
            Fill(profile);
            profile = null;
            var before = GC.GetTotalMemory(true);
            profile = create();
            Fill(profile);
            var bytes = GC.GetTotalMemory(true) - before;
            GC.KeepAlive(profile);
            Assert.InRange(bytes, 1, 1 << 20);
        }
    }

    private static void Fill(IServiceProfile profile)
    {
        foreach (var (key, write) in References.Skewed(seed: 7, 300_000, 1_000_000))
            profile.Reference(key, write, 0);
    }
}

/// <summary>Tests that never run at the same time as others.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
