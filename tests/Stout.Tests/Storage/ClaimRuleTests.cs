using Stout.Storage;

namespace Stout.Tests.Storage;

/// <summary>The rule of claims, and the binary form of owners.</summary>
public sealed class ClaimRuleTests
{
    private static readonly Guid Mine = Guid.NewGuid();
    private static readonly KeyHeader Stored = new(new Stamp(3, Guid.NewGuid(), 1), new KeyOwner(3, Guid.NewGuid()));

    [Theory]
    [InlineData(0, 0, 4)]
    [InlineData(9, 0, 9)]
    [InlineData(2, 0, 4)]
    [InlineData(0, 7, 8)]
    [InlineData(7, 7, 8)]
    public void Claim_gets_the_next_epoch_above_the_floor_and_at_least_the_one_that_it_asks_for(long atLeast, long floor, long epoch) =>
        Assert.Equal(new KeyOwner(epoch, Mine), ClaimRule.Judge(Stored, new KeyClaim(Mine, atLeast), floor));

    [Fact]
    public void First_claim_begins_above_the_floor() =>
        Assert.Equal(new KeyOwner(6, Mine), ClaimRule.Judge(default, new KeyClaim(Mine), epochFloor: 5));

    [Fact]
    public void Epoch_that_only_damage_explains_is_damage_and_does_not_begin_again()
    {
        var damaged = Stored with { Owner = Stored.Owner with { Epoch = long.MaxValue } };
        Assert.Equal(StoreErrorKind.Corrupt, Assert.Throws<StoreException>(() => ClaimRule.Judge(damaged, new KeyClaim(Mine), 0)).Kind);
        Assert.Equal(StoreErrorKind.Corrupt, Assert.Throws<StoreException>(() => ClaimRule.Judge(Stored, new KeyClaim(Mine), long.MaxValue)).Kind);
    }

    [Fact]
    public void Claim_that_was_made_before_changes_nothing_whatever_header_it_names()
    {
        var claimed = Stored with { Owner = new KeyOwner(8, Mine) };

        Assert.Equal(claimed.Owner, ClaimRule.Judge(claimed, new KeyClaim(Mine, 99), epochFloor: 50));
        Assert.Equal(claimed.Owner, ClaimRule.Judge(claimed, new KeyClaim(Mine) { OnlyIf = Stored }, 0));
    }

    [Fact]
    public void Claim_that_names_another_header_is_fenced()
    {
        Assert.Null(ClaimRule.Judge(Stored, new KeyClaim(Mine) { OnlyIf = default(KeyHeader) }, 0));
        Assert.Null(ClaimRule.Judge(Stored, new KeyClaim(Mine) { OnlyIf = Stored with { Version = Stamp.Absent } }, 0));
        Assert.Equal(4, ClaimRule.Judge(Stored, new KeyClaim(Mine) { OnlyIf = Stored }, 0)!.Value.Epoch);
    }

    [Fact]
    public void Reset_takes_the_next_epoch_and_is_done_where_nothing_is_claimed()
    {
        Assert.Equal(new KeyOwner(4), ClaimRule.Judge(Stored, new KeyClaim(Guid.Empty), 0));
        Assert.Equal(new KeyOwner(4), ClaimRule.Judge(Stored with { Owner = new KeyOwner(4) }, new KeyClaim(Guid.Empty), 0));
        Assert.Equal(KeyOwner.None, ClaimRule.Judge(default, new KeyClaim(Guid.Empty), 9));
    }

    [Fact]
    public void Owners_come_back_from_their_bytes_and_bytes_that_are_none_are_told()
    {
        Span<byte> bytes = stackalloc byte[KeyOwner.Bytes];
        foreach (var owner in new[] { Stored.Owner, new KeyOwner(7), KeyOwner.None, new KeyOwner(long.MaxValue, Mine) })
        {
            owner.Write(bytes);
            Assert.True(KeyOwner.TryRead(bytes, out var read));
            Assert.Equal(owner, read);
            Assert.True(KeyOwner.TryParseHex(owner.ToHex(), out read));
            Assert.Equal(owner, read);
        }

        foreach (var damaged in new[] { new KeyOwner(0, Mine), new KeyOwner(-1, Mine), new KeyOwner(long.MinValue) })
        {
            damaged.Write(bytes);
            Assert.False(KeyOwner.TryRead(bytes, out var read));
            Assert.Equal(KeyOwner.None, read);
            Assert.False(KeyOwner.TryParseHex(damaged.ToHex(), out read));
            Assert.Equal(KeyOwner.None, read);
        }

        foreach (var text in new[] { null, "", Stored.Owner.ToHex()[1..], Stored.Owner.ToHex() + "00", new string('z', 2 * KeyOwner.Bytes), new string('A', 2 * KeyOwner.Bytes) })
            Assert.False(KeyOwner.TryParseHex(text, out _));

        Assert.False(KeyOwner.TryRead(bytes[1..], out _));
        Assert.False(KeyOwner.TryRead([], out _));
    }
}
