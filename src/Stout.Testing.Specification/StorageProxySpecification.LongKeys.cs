using System.Text;
using Stout.Documents;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    private static readonly string CommonPrefix = new('p', 250);

    /// <summary>
    /// Replaces the key that the stored header of a long key contains by another key, as if both keys had the same row key. False (the default) skips the
    /// tests of such keys, for stores whose rows are named by the whole key.
    /// </summary>
    /// <param name="store">The open client.</param>
    /// <param name="key">A long key with a header.</param>
    /// <param name="other">The key that the header has to contain.</param>
    protected virtual Task<bool> NameOtherKeyAsync(StoreClient store, string key, string other) => Task.FromResult(false);

    /// <summary>
    /// Keys of 250 bytes up to the longest ones. A key of more than 256 bytes is stored under a row key, which consists of a prefix and a hash. Some keys
    /// have a code point of several bytes where the prefix ends, and some are the row key of another key.
    /// </summary>
    protected static IReadOnlyList<string> LongKeysToTry { get; } =
    [
        .. from bytes in (int[])[255, 256, 257, 1_000, PartitionKey.MaxBytes]
           from last in (string[])["x", "é", "日", "😀", "\0"]
           select new string('k', bytes - Encoding.UTF8.GetByteCount(last)) + last,
        .. from first in Enumerable.Range(LongKeys.PrefixBytes - 5, 7) from point in (string[])["é", "日", "😀"]
           select new string('a', first) + string.Concat(Enumerable.Repeat(point, 40)),
        LongKeys.RowKeyOf(new PartitionKey(new string('k', 1_000))), LongKeys.RowKeyOf(new PartitionKey(new string('k', 1_000)))[..LongKeys.MaxShortBytes],
        CommonPrefix + "/1/long", CommonPrefix + "/2/long", CommonPrefix + "/1/LONG", CommonPrefix,
    ];

    /// <summary>Every long key has an object of its own, with parts, through all kinds of writes.</summary>
    [Fact]
    public async Task Long_keys_stay_different_keys()
    {
        var store = await OpenAsync();
        var stamps = new Dictionary<string, Stamp>();
        foreach (var key in LongKeysToTry)
            stamps[key] = await store.PutAsync(key, Stamp.Absent, parts: [Part("", "old"), Part("part", Digest(key))]);
        foreach (var key in LongKeysToTry)
            stamps[key] = await store.PutAsync(key, stamps[key], parts: Part("", Digest(key)));

        store = await ReopenAsync(store);

        foreach (var key in LongKeysToTry)
            Assert.Equal($"={Digest(key)} part={Digest(key)}", Show(await store.ReadAsync(key)));
        foreach (var key in LongKeysToTry)
        {
            var replaced = await store.PutAsync(key, stamps[key], KeyWriteKind.Replace, parts: Part("new", Digest(key)));
            Assert.Equal("new=" + Digest(key), Show(await store.ReadAsync(key)));
            var deleted = await store.PutAsync(key, replaced, KeyWriteKind.Delete);
            Assert.Equal("(none)", Show(await store.ReadAsync(key)));
            await store.PutAsync(key, deleted, parts: Part("", "again"));
            Assert.Equal("=again", Show(await store.ReadAsync(key)));
        }

        await store.DisposeAsync();
    }

    /// <summary>One batch holds short and long keys, absent and existing ones. Two of three keys begin with the same 250 bytes.</summary>
    [Fact]
    public async Task Long_and_short_keys_share_batches()
    {
        await using var store = await OpenAsync();
        var keys = Enumerable.Range(0, int.MaxValue)
            .Select(i => i % 3 == 0 ? $"key {i}" : $"{CommonPrefix} {i}{(i % 3 == 1 ? "" : " and more")}")
            .Where(key => store.PartitionOf(new PartitionKey(key)) == 0).Take(30).ToList();
        var batch = new WriteBatch();
        foreach (var key in keys.Take(20))
            store.Add(batch, store.NewWrite(key, Stamp.Absent), Part("", key), Part("part", key));
        await store.WriteAsync(batch);
        var next = new WriteBatch();
        for (var i = 0; i < keys.Count; i++)
            store.Add(next, store.NewWrite(keys[i], i < 20 ? batch[i].Next : Stamp.Absent), Part("", "new " + keys[i]));
        await store.WriteAsync(next);
        Assert.All(Enumerable.Range(0, next.Count), i => Assert.Equal(WriteOutcomeKind.Committed, next.OutcomeOf(i).Kind));

        var reads = await store.ReadAsync(keys);

        Assert.Equal(keys.Select((key, i) => $"=new {key}" + (i < 20 ? $" part={key}" : "")), reads.Select(Show));
        var again = store.AnotherWriter().NewWrite(keys[1], Stamp.Absent);
        Assert.Equal(WriteOutcomeKind.Conflict, (await store.WriteAsync(again, Part("", "late"))).Kind);
        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(next[1], Part("", "new " + keys[1]))).Kind);
    }

    /// <summary>The longest key can have a value so large that it takes several pieces or rows.</summary>
    [Fact]
    public async Task Long_key_has_values_as_large_as_a_short_one()
    {
        await using var store = await OpenAsync();
        var limits = store.Proxy.Limits;
        var value = new byte[Math.Min(Math.Min(limits.MaxValueBytes, limits.MaxChangeSetBytes), 16 << 20)];
        new Random(1).NextBytes(value);
        var key = new string('日', PartitionKey.MaxBytes / 3);
        var version = await store.PutAsync(key, Stamp.Absent, parts: Part("", value));

        Assert.Equal(value, (await store.ReadAsync(key)).Parts.Single().Value.ToArray());

        await store.PutAsync(key, version, KeyWriteKind.Replace, parts: Part("part", value));
        Assert.Equal(value, (await store.ReadAsync(key)).Parts.Single().Value.ToArray());
    }

    /// <summary>Claims of absent, existing and deleted long keys fence old owners as claims of short keys do.</summary>
    [Fact]
    public async Task Long_keys_are_claimed_confirmed_and_reset()
    {
        await using var store = await OpenWithClaimsAsync();
        foreach (var key in (string[])[CommonPrefix + "/absent", string.Concat(Enumerable.Repeat("😀", PartitionKey.MaxBytes / 4))])
        {
            var first = await store.ClaimAsync(key);
            Assert.Equal((false, Stamp.Absent, 1), (first.Exists, first.Version, first.Owner.Epoch));
            var version = await store.PutAsync(key, Stamp.Absent, owner: first.Owner, parts: [Part("", "self"), Part("a", "1")]);

            var second = await store.ClaimAsync(key);

            Assert.Equal((version, 2, "=self a=1"), (second.Version, second.Owner.Epoch, Show(second)));
            Assert.Equal(second.Header, (await store.ReadHeaderAsync(key)).Header);
            Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(store.NewWrite(key, version, owner: first.Owner), Part("", "late"))).Kind);
            version = await store.PutAsync(key, version, KeyWriteKind.Delete, second.Owner);
            var third = await store.ClaimAsync(key);
            Assert.Equal((version, 3, false), (third.Version, third.Owner.Epoch, third.Exists));
            version = await store.PutAsync(key, version, owner: third.Owner, parts: Part("", "new"));
            var handedOver = await store.ClaimAsync(key, new KeyClaim(Guid.NewGuid()) { OnlyIf = new KeyHeader(version, third.Owner) });
            Assert.Equal(4, handedOver.Owner.Epoch);
            var reset = await store.ClaimAsync(key, new KeyClaim(Guid.Empty));
            await store.PutAsync(key, version, owner: reset.Owner, parts: Part("", "last"));
            Assert.Equal("=last", Show(await store.ReadAsync(key)));
        }
    }

    /// <summary>One batch claims short keys, and long keys with a common prefix.</summary>
    [Fact]
    public async Task Claims_of_long_and_short_keys_share_a_batch()
    {
        await using var store = await OpenWithClaimsAsync();
        var keys = Enumerable.Range(0, int.MaxValue).Select(i => i % 2 == 0 ? $"key {i}" : $"{CommonPrefix} {i} and more")
            .Where(key => store.PartitionOf(new PartitionKey(key)) == 0).Take(12).ToList();
        foreach (var key in keys.Take(6))
            await store.PutAsync(key, Stamp.Absent, parts: Part("", key));

        for (var epoch = 1; epoch <= 2; epoch++)
        {
            var reads = await store.ClaimAsync(keys);

            Assert.All(reads, read => Assert.Equal(epoch, read.Owner.Epoch));
            Assert.Equal(keys.Select((key, i) => i < 6 ? "=" + key : "(none)"), reads.Select(Show));
        }
    }

    /// <summary>
    /// A listing returns whole keys, by prefixes shorter and longer than the prefix in a row key, on pages of any size. Pages follow each other in the
    /// order of row keys.
    /// </summary>
    [Fact]
    public async Task Listing_has_long_keys_whole_by_any_prefix()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Lists, nameof(StorageCapabilities.Lists));
        var keys = LongKeysToTry.Concat(Enumerable.Range(0, 12).Select(i => $"{CommonPrefix}/{i % 3}/{new string('y', i * 9)}{i}")).Distinct().ToList();
        foreach (var key in keys)
        {
            var stamp = await store.PutAsync(key, Stamp.Absent, parts: [Part("", "x"), Part("part", "y")]);
            if (key.EndsWith('7'))
                await store.PutAsync(key, stamp, KeyWriteKind.Delete);
        }

        var live = keys.Where(static key => !key.EndsWith('7')).ToList();
        var deepest = CommonPrefix + "/1/yyyyyyyyy1";
        string[] prefixes = ["", "p", CommonPrefix[..192], CommonPrefix[..193], CommonPrefix, CommonPrefix + "/1", deepest, deepest + "2", new('k', 300), new string('a', 188) + "é"];
        foreach (var most in (int[])[1, 3, 1_000])
        {
            foreach (var prefix in prefixes)
            {
                Assert.Equal(
                    live.Where(key => key.StartsWith(prefix, StringComparison.Ordinal)).Order(StringComparer.Ordinal),
                    (await store.ListAsync(prefix, most)).Order(StringComparer.Ordinal));
            }
        }
    }

    /// <summary>Long keys with a common prefix are created and deleted between the pages. The keys that stay are listed once.</summary>
    [Fact]
    public async Task Listing_beside_writes_has_the_long_keys_that_were_there_all_the_time()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Lists, nameof(StorageCapabilities.Lists));
        var stays = Enumerable.Range(0, 15).Select(i => $"{CommonPrefix} stays {i:00}").ToList();
        var goes = new Queue<(string Key, Stamp Stamp)>();
        foreach (var key in stays)
        {
            await store.PutAsync(key, Stamp.Absent, parts: Part("", "stays"));
            goes.Enqueue((key + " goes", await store.PutAsync(key + " goes", Stamp.Absent, parts: Part("", "goes"))));
        }

        var made = 0;
        var listed = await store.ListAsync(CommonPrefix + " stays", 4, async () =>
        {
            if (made < 15)
                await store.PutAsync($"{CommonPrefix} stays {made:00} comes", Stamp.Absent, parts: Part("", "comes"));
            made++;
            if (goes.TryDequeue(out var gone))
                await store.PutAsync(gone.Key, gone.Stamp, KeyWriteKind.Delete);
        });

        Assert.Equal(stays, listed.Intersect(stays).Order(StringComparer.Ordinal));
        Assert.Equal(listed.Count, listed.Distinct().Count());
        Assert.All(listed, key => Assert.StartsWith(CommonPrefix + " stays", key, StringComparison.Ordinal));
    }

    /// <summary>The header of a deleted long key is removed after its retention, and later epochs are larger.</summary>
    [Fact]
    public async Task Headers_of_long_keys_are_swept_as_others_are()
    {
        var sweeping = new StoreSweepOptions { Interval = TimeSpan.FromMinutes(10), Retention = TimeSpan.FromHours(1) };
        await using var store = await OpenSweepingAsync(sweeping);
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        Assert.SkipWhen(await CountRowsAsync() is null, "The test class can't count rows.");
        var (deleted, unused) = (CommonPrefix + "/deleted", CommonPrefix + "/unused");
        var owner = (await store.ClaimAsync(deleted)).Owner;
        owner = (await store.ClaimAsync(deleted)).Owner;
        await store.ClaimAsync(unused);
        var version = await store.PutAsync(deleted, Stamp.Absent, owner: owner, parts: [Part("", "x"), Part("part", "y")]);
        await store.PutAsync(deleted, version, KeyWriteKind.Delete, owner);

        await AgeAsync(sweeping.Retention + sweeping.Interval);
        await UntilAsync(sweeping, async () => await CountRowsAsync() == 0);

        Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(store.NewWrite(deleted, Stamp.Absent, owner: owner), Part("", "late"))).Kind);
        Assert.True((await store.ClaimAsync(deleted)).Owner.Epoch > owner.Epoch);
    }

    /// <summary>
    /// If the row of a key belongs to another key, reads of the first key fail with a typed error that names the cause. Writes of the first key conflict.
    /// The other keys of the batch are not affected.
    /// </summary>
    [Fact]
    public async Task Long_key_whose_header_keeps_another_key_fails_alone_and_changes_nothing()
    {
        await using var store = await OpenAsync();
        var keys = store.KeysTogether(Neighbors).ToList();
        keys[4] = Enumerable.Range(0, int.MaxValue).Select(i => $"{CommonPrefix} {i} and more").First(key => store.PartitionOf(new PartitionKey(key)) == 0);
        var stamps = new List<Stamp>();
        foreach (var key in keys)
            stamps.Add(await store.PutAsync(key, Stamp.Absent, parts: [Part("", "old"), Part("part", "old")]));
        foreach (var other in (string[])[keys[4] + "!", keys[4][..^1]])
        {
            Assert.SkipUnless(await NameOtherKeyAsync(store, keys[4], other), "The test class can't make a header keep another key.");
            for (var round = 0; round < 2; round++)
            {
                var reads = await store.ReadAsync(keys);
                AssertMismatch(reads[4]);
                Assert.All(reads.Where((_, i) => i != 4), read => Assert.Equal("=old part=old", Show(read)));
            }

            AssertMismatch(await store.ReadHeaderAsync(keys[4]));
            var batch = new WriteBatch();
            for (var i = 0; i < keys.Count; i++)
                store.Add(batch, store.NewWrite(keys[i], i == 4 ? Stamp.Absent : stamps[i]), Part("", "old"));
            await store.WriteAsync(batch);
            Assert.Equal(AllBut(4, WriteOutcomeKind.Committed, WriteOutcomeKind.Conflict), KindsOf(batch));
            for (var i = 0; i < keys.Count; i++)
                stamps[i] = i == 4 ? stamps[i] : batch[i].Next;
            if (store.Proxy.Capabilities.Lists)
                Assert.DoesNotContain(keys[4], await store.ListAsync(CommonPrefix, 10));
        }

        await NameOtherKeyAsync(store, keys[4], keys[4]);
        Assert.Equal((stamps[4], "=old part=old"), ((await store.ReadAsync(keys[4])).Version, Show(await store.ReadAsync(keys[4]))));
    }

    /// <summary>A claim compares the key in the header before it changes the owner, so that the owner of the other key is not fenced.</summary>
    [Fact]
    public async Task Claim_of_a_long_key_whose_header_keeps_another_key_leaves_the_owner()
    {
        await using var store = await OpenWithClaimsAsync();
        var (written, unwritten, gone) = (CommonPrefix + " written", CommonPrefix + " unwritten", CommonPrefix + " deleted");
        foreach (var key in (string[])[written, unwritten, gone])
        {
            var claimed = await store.ClaimAsync(key);
            var version = Stamp.Absent;
            if (key != unwritten)
                version = await store.PutAsync(key, Stamp.Absent, owner: claimed.Owner, parts: Part("", "old"));
            if (key == gone)
                version = await store.PutAsync(key, version, KeyWriteKind.Delete, claimed.Owner);
            Assert.SkipUnless(await NameOtherKeyAsync(store, key, key + "!"), "The test class can't make a header keep another key.");

            AssertMismatch(await store.ClaimAsync(key));
            AssertMismatch(await store.ClaimAsync(key, new KeyClaim(Guid.NewGuid()) { OnlyIf = new KeyHeader(version, claimed.Owner) }));
            AssertMismatch(await store.ClaimAsync(key, new KeyClaim(Guid.Empty)));

            await NameOtherKeyAsync(store, key, key);
            Assert.Equal(new KeyHeader(version, claimed.Owner), (await store.ReadHeaderAsync(key)).Header);
            await store.PutAsync(key, version, owner: claimed.Owner, parts: Part("", "new"));
        }
    }

    /// <summary>A collection whose ids make long keys can be changed, read, listed and deleted from.</summary>
    [Fact]
    public async Task Collection_has_long_ids()
    {
        var proxy = Connect(Time);
        await using var documents = await DocumentStore.OpenAsync(proxy, cancellationToken: TestContext.Current.CancellationToken);
        var notes = documents.GetCollection("notes", new StringPartSerializer());
        var ids = Enumerable.Range(0, 6).Select(i => $"{CommonPrefix}{new string('日', i * 100)}{i}").ToList();
        await Task.WhenAll(ids.Select(id => notes.SetAsync(id, "first").AsTask()));
        await Task.WhenAll(ids.Select(id => notes.UpdateAsync(id, old => old + " and " + id, TestContext.Current.CancellationToken).AsTask()));

        foreach (var id in ids)
            Assert.Equal("first and " + id, await notes.GetAsync(id));
        if (proxy.Capabilities.Lists)
            Assert.Equal(ids.Order(StringComparer.Ordinal), (await notes.ListAsync(CommonPrefix).ToListAsync()).Order(StringComparer.Ordinal));
        await notes.DeleteAsync(ids[3]);
        Assert.Null(await notes.GetAsync(ids[3]));
        await Assert.ThrowsAsync<InvalidKeyException>(() => notes.SetAsync(new string('x', PartitionKey.MaxBytes), "too long").AsTask());
    }

    // The tests store a digest of each key, since whole keys would make their failures unreadable.
    private static string Digest(string key) => $"{key.Length}.{Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(Encoding.UTF8.GetBytes(key)))[..12]}";

    private static void AssertMismatch(ReadOutcome outcome)
    {
        Assert.Equal(ReadOutcomeKind.Refused, outcome.Kind);
        Assert.Equal(StoreErrorKind.KeyMismatch, Assert.IsType<StoreException>(outcome.Error).Kind);
    }
}
