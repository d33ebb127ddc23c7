using Stout.Storage;

namespace Stout.Tests.Storage;

public sealed class StampRuleTests
{
    private static readonly Guid Writer = Guid.Parse("6a0d9a1e-38a3-4d62-9d5b-3d6a0f6c1c11");

    private static readonly KeyOwner Owner = new(2, Guid.NewGuid());

    private static readonly KeyWrite Write = new(new PartitionKey("key"), KeyWriteKind.Merge, Of(1, 1), null, Of(2, 2)) { Owner = Owner };

    [Fact]
    public void Stored_version_says_what_has_become_of_a_write()
    {
        Assert.Null(StampRule.Judge(new KeyHeader(Of(1, 1), Owner), Write));
        Assert.Equal(new WriteOutcome(WriteOutcomeKind.Committed), StampRule.Judge(new KeyHeader(Of(2, 2), Owner), Write));
        Assert.Equal(new WriteOutcome(WriteOutcomeKind.Conflict), StampRule.Judge(new KeyHeader(Of(1, 7), Owner), Write));
        Assert.Equal(new WriteOutcome(WriteOutcomeKind.Conflict), StampRule.Judge(new KeyHeader(Stamp.Absent, Owner), Write));
    }

    [Fact]
    public void Any_other_owner_fences_a_write_that_is_not_done_yet()
    {
        foreach (var other in new[] { KeyOwner.None, Owner with { Epoch = 1 }, Owner with { Epoch = 3 }, Owner with { Claim = Guid.NewGuid() } })
        {
            var fenced = new WriteOutcome(WriteOutcomeKind.Fenced) { StoredEpoch = other.Epoch };
            Assert.Equal(fenced, StampRule.Judge(new KeyHeader(Of(1, 1), other), Write));
            Assert.Equal(fenced, StampRule.Judge(new KeyHeader(Stamp.Absent, other), Write));
            Assert.Equal(new WriteOutcome(WriteOutcomeKind.Committed), StampRule.Judge(new KeyHeader(Of(2, 2), other), Write));
        }
    }

    [Fact]
    public void Text_of_a_stamp_comes_back_and_sorts_as_the_epochs_do()
    {
        var (older, newer) = (Of(255, 9), Of(256, 1));
        Assert.True(Stamp.TryParseHex(older.ToHex(), out var read));
        Assert.Equal(older, read);
        Assert.True(string.CompareOrdinal(older.ToHex(), newer.ToHex()) < 0);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("0123")]
    [InlineData("zz00000000000000000000000000000000000000000000000000000000000000")]
    public void Text_that_is_no_stamp_is_told(string? text)
    {
        Assert.False(Stamp.TryParseHex(text, out var stamp));
        Assert.Equal(Stamp.Absent, stamp);
    }

    private static Stamp Of(long epoch, long sequence) => new(epoch, Writer, sequence);

    [Fact]
    public void Bytes_that_are_no_stamp_are_not_read_as_one()
    {
        Span<byte> bytes = stackalloc byte[Stamp.Bytes];
        new Stamp(1, Guid.NewGuid(), 2).Write(bytes);

        Assert.True(Stamp.TryRead(bytes, out var stamp));
        Assert.Equal(1, stamp.Epoch);
        Assert.False(Stamp.TryRead(bytes[1..], out _));
        Assert.False(Stamp.TryRead(new byte[Stamp.Bytes + 1], out _));
        Assert.False(Stamp.TryRead(new byte[Stamp.Bytes], out _));
        bytes[0] = 0x80;
        Assert.False(Stamp.TryRead(bytes, out stamp));
        Assert.True(stamp.IsAbsent);
        Assert.False(Stamp.TryParseHex(Convert.ToHexStringLower(bytes), out _));
    }
}
