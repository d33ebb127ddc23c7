using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Tests.Shared;

/// <summary>
/// The contents of the kept stores of earlier layouts: one key of each kind. A kept store must show these contents, and take writes and claims, under
/// every later layout.
/// </summary>
internal static class LayoutContents
{
    private static readonly string LongKey = new('k', 300);
    private static readonly Guid Owner = new("0f8fad5b-d9cb-469f-a165-70867728950e");

    /// <summary>Fills an empty store of today's layout, from which a file is then made.</summary>
    public static async Task FillAsync(StoreClient store)
    {
        await store.PutAsync("plain", Stamp.Absent, parts: [Part("", "value")]);
        var stamp = await store.PutAsync("parts", Stamp.Absent, parts: [Part("", "own"), Part("a", "1"), Part("b", "2")]);
        await store.PutAsync("parts", stamp, parts: [NoPart("b"), Part("é", "3")]);
        stamp = await store.PutAsync("replaced", Stamp.Absent, parts: [Part("", "old"), Part("a", "1")]);
        await store.PutAsync("replaced", stamp, KeyWriteKind.Replace, parts: [Part("c", "new")]);
        stamp = await store.PutAsync("deleted", Stamp.Absent, parts: [Part("", "x"), Part("a", "1")]);
        await store.PutAsync("deleted", stamp, KeyWriteKind.Delete);
        await store.ClaimAsync("claimed", new KeyClaim(Owner, AtLeastEpoch: 7));
        var owner = (await store.ClaimAsync("owned", new KeyClaim(Owner, AtLeastEpoch: 5))).Owner;
        await store.PutAsync("owned", Stamp.Absent, owner: owner, parts: [Part("", "mine")]);
        await store.PutAsync(LongKey, Stamp.Absent, parts: [Part("", "long"), Part("a", "1")]);
    }

    /// <summary>Checks a kept store, and writes and claims its keys.</summary>
    public static async Task CheckAsync(StoreClient store)
    {
        (string Key, string Shown)[] expected =
        [
            ("plain", "=value"), ("parts", "=own a=1 é=3"), ("replaced", "c=new"), ("deleted", "(none)"), ("claimed", "(none)"), ("owned", "=mine"),
            (LongKey, "=long a=1"), ("absent", "(none)"),
        ];
        foreach (var (key, shown) in expected)
            Assert.Equal(shown, Show(await store.ReadAsync(key)));
        Assert.False((await store.ReadAsync("deleted")).Version.IsAbsent);
        Assert.Equal((7L, Owner), ((await store.ReadAsync("claimed")).Owner.Epoch, (await store.ReadAsync("claimed")).Owner.Claim));
        Assert.Equal((5L, Owner), ((await store.ReadAsync("owned")).Owner.Epoch, (await store.ReadAsync("owned")).Owner.Claim));

        foreach (var (key, _) in expected)
        {
            var read = await store.ReadAsync(key);
            await store.PutAsync(key, read.Version, owner: read.Owner, parts: [Part("", "again"), Part("z", "9")]);
            Assert.Contains("=again", Show(await store.ReadAsync(key)), StringComparison.Ordinal);
            Assert.True((await store.ClaimAsync(key, new KeyClaim(Guid.NewGuid()))).Owner.Epoch > read.Owner.Epoch);
        }

        Assert.Equal(expected.Length, (await store.ListAsync("", 100)).Count);
    }
}
