using Stout.Storage;
using Microsoft.Extensions.Time.Testing;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>The number of keys that have two owners at once in these tests. Default: 200.</summary>
    protected virtual int DuplicatedKeys => 200;

    private IEnumerable<string> Duplicated => Enumerable.Range(0, DuplicatedKeys).Select(static i => $"key {i}");

    /// <summary>
    /// After the newer owner has read, the older one's writes are refused. The newer owner has read each acknowledged write of the older one.
    /// </summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Older_of_two_owners_at_once_is_refused_and_hides_nothing_from_the_newer(bool writesFirst)
    {
        await using var older = await OpenWithClaimsAsync();
        await using var newer = await OpenSecondAsync(older);
        var duplicates = new ForcedDuplicates(older, newer, claims: true);

        await duplicates.RunAsync(Duplicated, writesFirst);

        Assert.Equal((DuplicatedKeys, 0), (duplicates.Refused, duplicates.Invisible));
    }

    /// <summary>The store decides which owner is newer, independently of the owners' clocks.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public async Task Older_of_two_owners_is_refused_whatever_their_clocks_say(int hours)
    {
        await using var older = await OpenWithClaimsAsync();
        SkipUnless(older.Proxy.Capabilities.Shared, nameof(StorageCapabilities.Shared));
        await using var newer = await StoreClient.OpenAsync(Connect(new FakeTimeProvider(Time.GetUtcNow() + TimeSpan.FromHours(hours))));
        var duplicates = new ForcedDuplicates(older, newer, claims: true);

        await duplicates.RunAsync(Duplicated, writesFirst: true);

        Assert.Equal((DuplicatedKeys, 0), (duplicates.Refused, duplicates.Invisible));
    }

    /// <summary>
    /// A sweep removes a header together with the owner in it. The key is absent then, but the older owner's writes are still refused, so the older owner
    /// can't create the key.
    /// </summary>
    [Fact]
    public async Task Older_of_two_owners_is_refused_after_its_header_was_swept()
    {
        var sweeping = new StoreSweepOptions { Interval = TimeSpan.FromMinutes(1), Retention = TimeSpan.FromHours(3) };
        await using var older = await OpenSweepingAsync(sweeping);
        SkipUnless(older.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        await using var newer = older.AnotherWriter();
        var duplicates = new ForcedDuplicates(older, newer, claims: true);
        var opened = new Dictionary<string, KeyHeader>();
        foreach (var key in Duplicated)
            opened[key] = await duplicates.OpenAsync(older, key);
        await AgeAsync(sweeping.Retention + sweeping.Interval);
        foreach (var key in opened.Keys)
            await UntilAsync(sweeping, async () => (await older.ReadHeaderAsync(key)).Header == default);

        await duplicates.RunAsync(opened);

        Assert.Equal((DuplicatedKeys, 0), (duplicates.Refused, duplicates.Invisible));
    }

    /// <summary>
    /// Shows that the tests above can fail. Without claims nearly every key has a write that the newer owner has not read, since stamps do not refuse the
    /// older owner's writes.
    /// </summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Without_claims_the_older_of_two_owners_is_found_to_hide_writes_from_the_newer(bool writesFirst)
    {
        await using var older = await OpenAsync();
        await using var newer = await OpenSecondAsync(older);
        var duplicates = new ForcedDuplicates(older, newer, claims: false);

        await duplicates.RunAsync(Duplicated, writesFirst);

        Assert.InRange(duplicates.Invisible, DuplicatedKeys * 9 / 10, DuplicatedKeys);
    }
}
