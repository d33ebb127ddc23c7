using Stout.Storage;
using Stout.Tests;
using static Stout.Testing.StoreClient;

namespace Stout.AzureTables.Tests;

/// <summary>A store works, and uses the same rows, under every culture that its application may have set.</summary>
public sealed class CultureTests(Server server) : IDisposable
{
    private readonly TestTable _table = new(server.Account);

    public void Dispose() => _table.Dispose();

    [Theory]
    [MemberData(nameof(Cultures.Names), MemberType = typeof(Cultures))]
    public async Task Store_writes_claims_sweeps_and_reads_the_same_rows(string culture)
    {
        _table.Options = _table.Options with { PartitionsPerAccount = 2 };
        await Cultures.UnderAsync(culture, async () =>
        {
            await using var store = await _table.OpenAsync();
            var stamp = await store.PutAsync("İi", Stamp.Absent, parts: [Part("", new byte[100_000]), Part("part", "x")]);
            stamp = await store.PutAsync("İi", stamp, KeyWriteKind.Delete);
            await store.PutAsync("İi", stamp, parts: [Part("", "two")]);
            await _table.SweepAsync();
        });

        await using var again = await _table.OpenAsync();
        Assert.Equal("=two", Show(await again.ClaimAsync("İi")));
    }
}
