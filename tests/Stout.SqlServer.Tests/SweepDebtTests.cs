using Stout.SqlServer.Sweeping;
using Stout.Storage;

namespace Stout.SqlServer.Tests;

/// <summary>The count of dead rows that writes may have left is never too low. Rows of objects that only grow do not count.</summary>
public sealed class SweepDebtTests
{
    private readonly SweepDebt _debt = new();
    private long _rows;

    [Fact]
    public void Rows_of_objects_that_are_only_added_to_are_not_dead()
    {
        for (var i = 0; i < 100; i++)
            Count(KeyWriteKind.Merge, parts: 50);

        Assert.Equal(0, _rows);
    }

    [Fact]
    public void Every_row_that_was_written_may_have_been_killed_by_what_replaces_it()
    {
        for (var i = 0; i < 100; i++)
            Count(KeyWriteKind.Merge, parts: 20);
        for (var i = 0; i < 100; i++)
            Count(KeyWriteKind.Delete, parts: 0);

        Assert.InRange(_rows, 2_000, 2_500);
    }

    [Fact]
    public void Object_from_before_this_process_counts_too()
    {
        for (var i = 0; i < SweepDebt.Due; i++)
            Count(KeyWriteKind.Delete, parts: 0);

        Assert.True(_rows >= SweepDebt.Due);
    }

    [Fact]
    public void Large_values_count_for_more_than_one_row()
    {
        Count(KeyWriteKind.Replace, parts: 1, bytes: 16 << 20);

        Assert.InRange(_rows, (16 << 20) / SweepDebt.BytesPerRow, SweepDebt.Limit);
    }

    [Fact]
    public void Write_that_did_not_happen_leaves_nothing()
    {
        Count(KeyWriteKind.Replace, parts: 50, outcome: WriteOutcomeKind.Conflict);

        Assert.Equal(0, _rows);
    }

    private void Count(KeyWriteKind kind, int parts, int bytes = 1, WriteOutcomeKind outcome = WriteOutcomeKind.Committed)
    {
        var batch = new WriteBatch();
        batch.Add(
            new KeyWrite(new PartitionKey("key"), kind, Stamp.Absent, null, new Stamp(0, Guid.NewGuid(), 1)),
            [.. Enumerable.Range(0, parts).Select(i => new PartWrite(new SubKey($"{i}"), IsDeleted: false, new byte[bytes]))]);
        batch.SetOutcome(0, new WriteOutcome(outcome));
        _rows += _debt.Count(batch);
    }
}
