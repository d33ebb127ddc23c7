using Stout.Argon.Caching;
using Stout.Argon.Engine;
using Stout.Argon.Experiments.Profiles;
using Stout.Argon.Experiments.Traces;

namespace Stout.Argon.Tests.Caching;

/// <summary>Compares profiles with naive caches.</summary>
public sealed class ProfileTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void An_exact_profile_equals_a_naive_cache_at_every_size(int seed)
    {
        var random = new Random(seed);
        var profile = LruProfile.Exact();
        var caches = Enumerable.Range(1, 120).Select(size => new NaiveCache(size)).ToList();
        var flushes = 0;
        const int Count = 4000;
        for (var i = 0; i < Count; i++)
        {
            var key = random.Next(3) == 0 ? random.Next(100) : random.Next(12);
            var write = random.Next(3) == 0;
            flushes += random.Next(50) == 0 ? 1 : 0;
            profile.Reference(key, write, flushes);
            caches.ForEach(cache => cache.Reference(key, write, flushes));
        }

        for (var size = 1; size <= caches.Count; size++)
            Assert.Equal((double)caches[size - 1].Absorbed / Count, profile.Absorbed(size), 12);
    }

    [Fact]
    public void Profiles_of_the_recorded_order_entry_are_those_of_naive_caches()
    {
        var references = BlockTrace.Oltp.Operations.ToList();
        var exact = LruProfile.Exact();
        var (flushes, count) = (0, 0);
        var caches = Enumerable.Range(1, 40).Select(i => new NaiveCache(i * 130)).ToList();
        var (miniature, whole) = (new MiniatureProfile(EvictionKind.Sieve, 5_200, seed: 1), new MiniatureProfile(EvictionKind.Sieve, 5_200, seed: 1, largest: 5_200));
        foreach (var operation in references)
        {
            flushes += operation.Kind == RequestKind.Flush ? 1 : 0;
            for (var i = 0; i < operation.Count; i++, count++)
            {
                var (key, write) = (BlockKey.Of(operation.Object, operation.First + i), operation.Kind == RequestKind.Write);
                exact.Reference(key, write, flushes);
                miniature.Reference(key, write, flushes);
                whole.Reference(key, write, flushes);
                caches.ForEach(cache => cache.Reference(key, write, flushes));
            }
        }

        Assert.True(count > 20_000, $"{count}");
        for (var i = 0; i < caches.Count; i++)
            Assert.Equal((double)caches[i].Absorbed / count, exact.Absorbed((i + 1) * 130), 12);
        Assert.InRange(Enumerable.Range(1, 40).Average(i => Math.Abs(miniature.Absorbed(i * 130) - whole.Absorbed(i * 130))), 0, 0.03);
    }

    [Fact]
    public void A_sample_of_8192_blocks_is_within_a_twohundredth_of_the_whole()
    {
        var (exact, sampled) = (LruProfile.Exact(), LruProfile.Sampled(100_000));
        foreach (var (key, write) in References.Skewed(seed: 5, 600_000, 200_000))
        {
            exact.Reference(key, write, 0);
            sampled.Reference(key, write, 0);
        }

        var error = Enumerable.Range(1, 100).Average(i => Math.Abs(exact.Absorbed(i * 1000) - sampled.Absorbed(i * 1000)));
        Assert.InRange(error, 0, 0.005);
    }

    [Theory]
    [InlineData(EvictionKind.Sieve)]
    [InlineData(EvictionKind.Lru)]
    public void Miniature_simulation_is_near_the_whole_cache(EvictionKind kind)
    {
        const int Cache = 32_000;
        var miniature = new MiniatureProfile(kind, Cache, seed: 1);
        var whole = new MiniatureProfile(kind, Cache, seed: 1, largest: Cache);
        foreach (var (key, write) in References.Skewed(seed: 6, 400_000, 100_000))
        {
            miniature.Reference(key, write, 0);
            whole.Reference(key, write, 0);
        }

        var error = Enumerable.Range(1, 100).Average(i => Math.Abs(whole.Absorbed(i * 320) - miniature.Absorbed(i * 320)));
        Assert.InRange(error, 0, 0.03);
    }

    [Fact]
    public void Sieve_keeps_a_working_set_through_a_scan_that_lru_loses()
    {
        var (lru, sieve) = (new MiniatureCache(EvictionKind.Lru, 100), new MiniatureCache(EvictionKind.Sieve, 100));
        var scanned = 1000L;
        for (var round = 0; round < 50; round++)
        {
            foreach (var cache in new[] { lru, sieve })
            {
                for (var i = 0; i < 120; i++)
                    cache.Reference(i % 60, write: false, 0);
                for (var i = 0; i < 100; i++)
                    cache.Reference(scanned + i, write: false, 0);
            }

            scanned += 100;
        }

        Assert.Equal(50 * 60, lru.Absorbed);
        Assert.True(sieve.Absorbed > 5000, $"{sieve.Absorbed}");
    }
}
