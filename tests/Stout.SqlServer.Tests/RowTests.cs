using FsCheck;
using FsCheck.Fluent;
using Microsoft.Data.SqlClient.Server;
using Stout.SqlServer.Client;
using Stout.SqlServer.Reading;
using Stout.SqlServer.Writing;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.SqlServer.Tests;

/// <summary>The rows that a batch sends, and the outcomes of its answers.</summary>
public sealed class RowTests
{
    private static readonly Guid Writer = Guid.NewGuid();

    /// <summary>The comparison of binary values ignores zero bytes at their end. It must not take two keys for the same one.</summary>
    [Fact]
    public void Stored_keys_differ_even_where_zero_bytes_at_the_end_do_not_count() => Check.One(
        Config.QuickThrowOnFailure,
        Prop.ForAll(ArbMap.Default.ArbFor<NonEmptyString>(), ArbMap.Default.ArbFor<byte>(), (key, zeros) =>
        {
            var text = new string([.. key.Get.Where(c => !char.IsSurrogate(c)).Take(60)]);
            var longer = text + new string('\0', zeros % 8);
            return Stored(text).AsSpan().TrimEnd((byte)0).SequenceEqual(Stored(longer).AsSpan().TrimEnd((byte)0)) == (text == longer);
        }));

    /// <summary>A row key of 257 bytes has no final byte, unlike the stored form of a key of 256 bytes.</summary>
    [Fact]
    public void Row_keys_of_any_length_come_back_and_fit_into_their_column()
    {
        var texts = Enumerable.Range(253, 8).SelectMany(length => (string[])[new('k', length), new string('k', length - 2) + "é", new string('k', length - 1) + "\0"]);
        var stored = texts.Append(new string('日', 1_000)).ToDictionary(text => text, text =>
        {
            var bytes = new byte[StoredKey.MaxKeyBytes];
            return bytes[..StoredKey.Write(new PartitionKey(text), bytes)];
        });

        foreach (var (text, bytes) in stored)
        {
            var rowKey = LongKeys.RowKeyOf(new PartitionKey(text));
            Assert.Equal(rowKey, System.Text.Encoding.UTF8.GetString(StoredKey.Utf8Of(bytes).Span));
            Assert.Equal(bytes, StoredKey.Of(rowKey));
            Assert.NotEqual(0, bytes[^1]);
        }

        Assert.Equal(stored.Count, stored.Values.Select(Convert.ToHexString).Distinct().Count());
    }

    [Fact]
    public void Sub_keys_come_back_and_what_is_none_is_damage()
    {
        foreach (var text in (string[])["", "\0", "a\0", "\u0001", "日本", new string('x', 128)])
            Assert.Equal(text, SubKeyOf(Stored(text)).Text);
        foreach (byte[] bytes in (byte[][])[[], [0x61], [0xFF, 1], [.. new byte[129], 1]])
            Assert.False(StoredKey.TryReadSubKey(bytes, out _));
    }

    [Fact]
    public void Keys_go_in_the_order_of_their_bytes()
    {
        string[] texts = ["b", "a\0\0", "a", "", "\uFFFD", "\U0001F600", "a\0", "B"];
        using var keys = new KeyOrder(texts.Length);
        for (var i = 1; i < texts.Length; i++)
            keys.Add(i, new PartitionKey(texts[i].Length == 0 ? "0" : texts[i]));
        keys.Sort();

        var order = Enumerable.Range(0, keys.Count).Select(place => Convert.ToHexString(keys.BytesOf(place))).ToList();

        Assert.Equal(order.Order(StringComparer.Ordinal), order);
        Assert.Equal(Enumerable.Range(1, 7), Enumerable.Range(0, keys.Count).Select(keys.IndexAt).Order());
    }

    /// <summary>SqlDataRecord keeps the end of an earlier, longer value, unless the length is set.</summary>
    [Fact]
    public void Record_that_is_used_again_keeps_nothing_of_what_it_held()
    {
        var random = new Random(1);
        var batch = new WriteBatch();
        foreach (var size in (int[])[4_096, 0, 10, 5_000, 3, 4_097, 1, 20_000, 0])
        {
            var value = new byte[size];
            random.NextBytes(value);
            var expected = size % 2 == 0 ? Stamp.Absent : new Stamp(1, Writer, size);
            batch.Add(
                new KeyWrite(new PartitionKey($"{batch.Count}{new string('k', size % 200)}"), KeyWriteKind.Merge, expected, null, new Stamp(1, Writer, 99 + size)) { Owner = size % 3 == 0 ? KeyOwner.None : new KeyOwner(size, Writer) },
                [new PartWrite(SubKey.Root, IsDeleted: false, value), new PartWrite(new SubKey('s' + new string('s', size % 100)), size % 5 == 0, size % 5 == 0 ? default : value)]);
        }

        using var keys = OrderOf(batch);
        var rows = new WriteRows(batch, keys).Scan();

        foreach (var record in rows.Keys())
        {
            var write = batch[keys.IndexAt(record.GetInt32(0))];
            var root = batch.PartsOf(keys.IndexAt(record.GetInt32(0)))[0].Value;
            Assert.Equal(Stored(write.Key.Text), BytesOf(record, 1));
            Assert.Equal(write.Expected, record.IsDBNull(3) ? Stamp.Absent : Stamp.Read(BytesOf(record, 3)));
            Assert.Equal(write.Owner, new KeyOwner(record.GetInt64(4), new Guid(BytesOf(record, 5), bigEndian: true)));
            Assert.Equal(write.Next, Stamp.Read(BytesOf(record, 6)));
            Assert.Equal(root.Length <= RootPlaces.MaxInlineBytes ? root.ToArray() : null, record.IsDBNull(9) ? null : BytesOf(record, 9));
        }

        var parts = rows.Parts().Select(record => (Place: record.GetInt32(0), SubKey: SubKeyOf(BytesOf(record, 1)), Value: record.IsDBNull(2) ? null : BytesOf(record, 2))).ToList();
        var expectedParts = Enumerable.Range(0, keys.Count).SelectMany(place => batch.PartsOf(keys.IndexAt(place)).ToArray()
            .Where(part => !part.SubKey.IsRoot || part.Value.Length > RootPlaces.MaxInlineBytes)
            .Select(part => (place, part.SubKey, part.IsDeleted ? null : part.Value.ToArray())));
        Assert.Equal(expectedParts, parts);
        Assert.Equal((true, true, true), (rows.Inserts, rows.PutsParts, rows.RemovesParts));
    }

    /// <summary>A key with an owner has a header since its claim. If the sweeper has removed that header, a write must not insert another.</summary>
    [Fact]
    public void Write_of_an_owner_inserts_no_header_even_if_the_object_is_absent()
    {
        var batch = new WriteBatch();
        batch.Add(new KeyWrite(new PartitionKey("key"), KeyWriteKind.Merge, Stamp.Absent, null, new Stamp(1, Writer, 1)) { Owner = new KeyOwner(1, Writer) }, [Part("", new byte[1])]);
        using var keys = OrderOf(batch);

        var rows = new WriteRows(batch, keys).Scan();

        Assert.False(rows.Inserts);
        Assert.All(rows.Keys(), static record => Assert.False(record.IsDBNull(3)));
    }

    [Fact]
    public void Rows_of_small_values_allocate_next_to_nothing_once_they_flow()
    {
        var batch = new WriteBatch();
        for (var i = 0; i < 1_000; i++)
            batch.Add(new KeyWrite(new PartitionKey($"key {i}"), KeyWriteKind.Merge, new Stamp(0, Writer, 1), null, new Stamp(0, Writer, 2)), [Part("", new byte[100])]);
        using var keys = OrderOf(batch);
        var rows = new WriteRows(batch, keys);
        using var flow = rows.Keys().GetEnumerator();
        for (var i = 0; i < 100; i++)
            Assert.True(flow.MoveNext());

        var before = GC.GetAllocatedBytesForCurrentThread();
        while (flow.MoveNext())
        {
        }

        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / 900, 0, 400);
    }

    [Theory]
    [InlineData(2, WriteOutcomeKind.Committed)]
    [InlineData(1, WriteOutcomeKind.Unknown)]
    [InlineData(3, WriteOutcomeKind.Conflict)]
    [InlineData(0, WriteOutcomeKind.Conflict)]
    public void Stored_stamp_of_a_key_that_was_not_won_says_what_became_of_it(int stored, WriteOutcomeKind outcome)
    {
        var write = new KeyWrite(new PartitionKey("key"), KeyWriteKind.Merge, new Stamp(1, Writer, 1), null, new Stamp(1, Writer, 2));

        Assert.Equal(outcome, StampCheck.Outcome(new KeyHeader(stored == 0 ? Stamp.Absent : new Stamp(1, Writer, stored), KeyOwner.None), write).Kind);
        Assert.Equal((WriteOutcomeKind.Fenced, 7), Fenced(StampCheck.Outcome(new KeyHeader(new Stamp(1, Writer, 1), new KeyOwner(7, Writer)), write)));

        static (WriteOutcomeKind Kind, long? Epoch) Fenced(WriteOutcome outcome) => (outcome.Kind, outcome.StoredEpoch);
    }

    /// <summary>A read at READ COMMITTED with locks can return a header together with the parts of the next write.</summary>
    [Fact]
    public void Key_that_changed_while_it_was_read_is_read_again()
    {
        var (old, next) = (Of(1, 0), Of(2, 0));
        var peek = new KeyRead(new PartitionKey("key"));

        Assert.Null(Image(old, next).Settle(peek));
        Assert.Null(Image(old, default).Settle(peek));
        Assert.Null(Image(default, next).Settle(peek));
        Assert.Null(Image(next, Of(2, 1)).Settle(peek));
        Assert.Equal(ReadOutcomeKind.Read, Image(next, next).Settle(peek)!.Value.Kind);
        Assert.True(Image(default, default).Settle(peek)!.Value.Version.IsAbsent);
    }

    /// <summary>A key that was created or removed between the statements of a claim does not have the claim's owner.</summary>
    [Fact]
    public void Claim_that_was_not_taken_is_made_again_unless_it_names_another_header()
    {
        var claim = new KeyClaim(Writer);
        var read = new KeyRead(new PartitionKey("key"), KeyReadKind.Claim, claim);

        Assert.Equal(ReadOutcomeKind.Read, Image(Of(1, 3, Writer), Of(1, 3, Writer)).Settle(read)!.Value.Kind);
        Assert.Null(Image(Of(1, 3), Of(1, 3)).Settle(read));
        Assert.Null(Image(default, default).Settle(read));
        Assert.Null(Image(Of(1, 3), Of(1, 3)).Settle(read with { Claim = claim with { OnlyIf = Of(1, 3) } }));
        Assert.Equal(ReadOutcomeKind.Fenced, Image(Of(1, 3), Of(1, 3)).Settle(read with { Claim = claim with { OnlyIf = Of(2, 3) } })!.Value.Kind);
    }

    private static KeyHeader Of(long sequence, long epoch, Guid claim = default) => new(new Stamp(epoch, Writer, sequence), new KeyOwner(epoch, claim));

    private static KeyImage Image(in KeyHeader key, in KeyHeader afterwards)
    {
        var image = new KeyImage();
        if (key != default)
            image.AddHeader(new StoredHeader(key, Lives: true, RootPlace.Inline, HasRows: false), [1]);
        if (afterwards != default)
            image.AddKeyAfterwards(afterwards);
        return image;
    }

    [Fact]
    public void Object_whose_row_is_missing_is_damaged_and_not_empty()
    {
        var image = new KeyImage();
        image.AddHeader(new StoredHeader(Of(1, 0), Lives: true, RootPlace.Row, HasRows: true), null);
        image.AddPart(new SubKey("part"), [1]);
        image.AddKeyAfterwards(Of(1, 0));

        var outcome = image.Settle(new KeyRead(new PartitionKey("key")))!.Value;

        Assert.Equal(ReadOutcomeKind.Refused, outcome.Kind);
        Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(outcome.Error).Kind);
    }

    private static SubKey SubKeyOf(byte[] stored)
    {
        Assert.True(StoredKey.TryReadSubKey(stored, out var subKey));
        return subKey;
    }

    private static KeyOrder OrderOf(WriteBatch batch) => KeyOrder.Of([.. Enumerable.Range(0, batch.Count)], index => batch[index].Key);

    private static byte[] Stored(string text)
    {
        var bytes = new byte[StoredKey.MaxKeyBytes];
        return bytes[..StoredKey.Write(new SubKey(text), bytes)];
    }

    private static byte[] BytesOf(SqlDataRecord record, int ordinal) => record.GetSqlBytes(ordinal).Value;
}
