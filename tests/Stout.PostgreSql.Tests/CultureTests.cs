using Stout.Storage;
using Stout.Tests;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>A store works under every culture that its application may have set.</summary>
public sealed class CultureTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private readonly TestSchema _schema = new(database);

    [Theory]
    [MemberData(nameof(Cultures.Names), MemberType = typeof(Cultures))]
    public Task Store_opens_writes_claims_sweeps_and_reads(string culture) => Cultures.UnderAsync(culture, async () =>
    {
        await using (var store = await _schema.OpenAsync())
        {
            var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "one"), Part("part", "x")]);
            await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("", "two")]);
        }

        await using (var storage = new PostgreSqlStorage(_schema.Options, _schema.Time))
        {
            var partition = (PostgreSqlPartition)(await storage.OpenAsync(TestContext.Current.CancellationToken))[0];
            await partition.Sweeper.SweepAsync(TestContext.Current.CancellationToken);
        }

        await using var again = await _schema.OpenAsync();
        Assert.Equal("=two", Show(await again.ClaimAsync("key")));
        Assert.Equal(0, await _schema.CountAsync("garbage"));
    });
}
