using Microsoft.Extensions.Time.Testing;
using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests;
using static Stout.Testing.StoreClient;

namespace Stout.Cosmos.Tests;

/// <summary>A store works, and uses the same items, under every culture that its application may have set.</summary>
public sealed class CultureTests
{
    [Theory]
    [MemberData(nameof(Cultures.Names), MemberType = typeof(Cultures))]
    public async Task Store_writes_claims_sweeps_and_reads_the_same_items(string culture)
    {
        var time = new FakeTimeProvider();
        var store = new StandInStore(time);
        await Cultures.UnderAsync(culture, async () =>
        {
            await using var client = await StoreClient.OpenAsync(StandInStorage.Connect(store, time, partitions: 12));
            var stamp = await client.PutAsync("key", Stamp.Absent, parts: [Part("", "one"), Part("part", "x")]);
            await client.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("", "two")]);
            time.Advance(TimeSpan.FromMinutes(1));
            await client.Proxy.RestAsync();
            Assert.Equal("=two", Show(await client.ClaimAsync("key")));
        });

        await using var again = await StoreClient.OpenAsync(StandInStorage.Connect(store, time, partitions: 12));
        Assert.Equal("=two", Show(await again.ClaimAsync("key")));
    }
}
