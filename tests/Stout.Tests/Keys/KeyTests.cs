using Stout.Storage;

namespace Stout.Tests.Keys;

/// <summary>Texts that can be keys, and those that can't.</summary>
public sealed class KeyTests
{
    /// <summary>The last characters of the tests' texts: 1, 2, 3 and 4 bytes of UTF-8.</summary>
    public static TheoryData<string> Endings => ["a", "é", "漢", "😀"];

    [Theory]
    [MemberData(nameof(Endings))]
    public void A_partition_key_takes_4096_bytes_and_not_one_more(string ending)
    {
        Assert.Equal(Text(4_096, ending), new PartitionKey(Text(4_096, ending)).Text);

        var failure = Assert.Throws<InvalidKeyException>(() => new PartitionKey(Text(4_097, ending)));
        Assert.Equal((InvalidKeyReason.TooLong, 4_097, 4_096), (failure.Reason, failure.Length, failure.Limit));
    }

    [Theory]
    [MemberData(nameof(Endings))]
    public void A_sub_key_takes_128_bytes_and_not_one_more(string ending)
    {
        Assert.Equal(Text(128, ending), new SubKey(Text(128, ending)).Text);

        var failure = Assert.Throws<InvalidKeyException>(() => new SubKey(Text(129, ending)));
        Assert.Equal((InvalidKeyReason.TooLong, 129, 128), (failure.Reason, failure.Length, failure.Limit));
    }

    [Fact]
    public void An_empty_partition_key_is_refused_and_an_empty_sub_key_is_the_object_itself()
    {
        Assert.Equal(InvalidKeyReason.Empty, Assert.Throws<InvalidKeyException>(() => new PartitionKey("")).Reason);
        Assert.Equal(SubKey.Root, new SubKey(""));
        Assert.True(new SubKey("").IsRoot);
        Assert.Throws<ArgumentNullException>(() => new PartitionKey(null!));
        Assert.Throws<ArgumentNullException>(() => new SubKey(null!));
    }

    [Theory]
    [InlineData(0xD83D)]
    [InlineData(0xDE00)]
    public void Half_of_a_surrogate_pair_is_refused(int half)
    {
        var text = "x" + (char)half;

        var failure = Assert.Throws<InvalidKeyException>(() => new PartitionKey(text));
        Assert.Equal(InvalidKeyReason.IllFormed, failure.Reason);
        Assert.DoesNotContain(text, failure.Message, StringComparison.Ordinal);
        Assert.Equal(InvalidKeyReason.IllFormed, Assert.Throws<InvalidKeyException>(() => new SubKey(text)).Reason);
    }

    [Fact]
    public void A_huge_text_is_refused_without_being_repeated_in_the_message()
    {
        var failure = Assert.Throws<InvalidKeyException>(() => new PartitionKey(new string('x', 10_000_000)));

        Assert.Equal(10_000_000, failure.Length);
        Assert.InRange(failure.Message.Length, 1, 200);
    }

    [Fact]
    public async Task The_default_partition_key_cannot_be_filled()
    {
        await using var fixture = await Support.Fixture.OpenAsync(new InMemoryStore());

        var failure = await Assert.ThrowsAsync<InvalidKeyException>(() => fixture.Client.FillAsync(default, cancellationToken: TestContext.Current.CancellationToken).AsTask());
        Assert.Equal(InvalidKeyReason.Empty, failure.Reason);
        foreach (var ask in new Func<Task>[] { () => fixture.Client.PeekAsync(default).AsTask(), () => fixture.Client.ClaimAsync(default).AsTask() })
            await Assert.ThrowsAsync<InvalidKeyException>(ask);
    }

    [Fact]
    public void Keys_that_only_look_alike_are_different()
    {
        string[] texts = ["a", "A", "a ", " a", "a\0", "é", "e\u0301", "a/", "a\\", "%61", "'a'", "a\u200b"];

        Assert.Equal(texts.Length, texts.Select(text => new PartitionKey(text)).Distinct().Count());
        Assert.Equal(texts.Length, texts.Select(text => new SubKey(text)).Distinct().Count());
    }

    // The slot is the first ten bits of the SHA-256 hash of the key's UTF-8 bytes. Frozen, since stores depend on it.
    [Theory]
    [InlineData("a", 0xca97)]
    [InlineData("document/1", 0xcde7)]
    [InlineData("é", 0x4a99)]
    [InlineData("😀", 0xf044)]
    public void The_slot_of_a_key_never_changes(string key, int firstSixteenBits) =>
        Assert.Equal(firstSixteenBits >> 6, Slots.Of(new PartitionKey(key)));

    // The same rule for longer keys: the hash is of the whole key.
    [Theory]
    [InlineData(256, 0x02d7)]
    [InlineData(257, 0xe8d9)]
    [InlineData(4_096, 0xc93e)]
    public void The_slot_of_a_key_of_any_length_is_from_the_hash_of_all_its_bytes(int length, int firstSixteenBits) =>
        Assert.Equal(firstSixteenBits >> 6, Slots.Of(new PartitionKey(new string('a', length))));

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(1000)]
    [InlineData(1024)]
    public void Partitions_hold_runs_of_slots_and_leave_none_out(int partitions)
    {
        var holders = Enumerable.Range(0, Slots.Count).Select(slot => Slots.PartitionOf(slot, partitions)).ToArray();

        Assert.Equal(Enumerable.Range(0, partitions), holders.Distinct());
        Assert.Equal(holders.Order(), holders);
    }

    [Fact]
    public void A_stamp_comes_back_from_its_binary_form()
    {
        var writer = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        var stamp = new Stamp(0x0102030405060708, writer, -2);
        var bytes = new byte[Stamp.Bytes];
        stamp.Write(bytes);

        Assert.Equal("010203040506070800112233445566778899AABBCCDDEEFFFFFFFFFFFFFFFFFE", Convert.ToHexString(bytes));
        Assert.Equal(stamp, Stamp.Read(bytes));
        Assert.True(Stamp.Read(new byte[Stamp.Bytes]).IsAbsent);
    }

    private static string Text(int bytes, string ending) => new string('x', bytes - System.Text.Encoding.UTF8.GetByteCount(ending)) + ending;
}
