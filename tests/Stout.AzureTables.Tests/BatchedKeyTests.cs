using Azure;
using Stout.AzureTables.Writing;
using Stout.Storage;

namespace Stout.AzureTables.Tests;

/// <summary>The outcome of one key of a batch, decided by a header or an error.</summary>
public sealed class BatchedKeyTests
{
    private static readonly Guid _writer = Guid.NewGuid();
    private static readonly Stamp _expected = new(2, _writer, 1);
    private static readonly KeyOwner _owner = new(2, Guid.NewGuid());

    [Fact]
    public void Time_that_the_service_asks_for_is_kept_after_an_attempt_of_unknown_outcome()
    {
        var change = NewChange();
        change.IsInDoubt = true;

        change.Fail(new StoreException(StoreErrorKind.Overloaded, "Later.") { RetryAfter = TimeSpan.FromSeconds(7) });

        Assert.Equal((WriteOutcomeKind.Unknown, TimeSpan.FromSeconds(7)), (change.Outcome!.Value.Kind, change.Outcome.Value.RetryAfter));
    }

    /// <summary>An announcement has no condition, so one of a claim that lost may come after the claim that won, with the same epoch.</summary>
    [Fact]
    public void Announcement_of_a_higher_epoch_alone_fences_the_owner()
    {
        var (late, next) = (NewChange(), NewChange());

        late.Learn(HeaderThatAnnounces(epoch: 2));
        next.Learn(HeaderThatAnnounces(epoch: 3));

        Assert.Null(late.Outcome);
        Assert.Equal(WriteOutcomeKind.Fenced, next.Outcome?.Kind);
    }

    private static Header HeaderThatAnnounces(long epoch) =>
        new(_expected, new HeaderToken(new ETag("1"), _owner, Generation: null, IsDeleted: false, KnownParts.None), new KeyOwner(epoch, Guid.NewGuid()));

    private static BatchedKey NewChange()
    {
        var batch = new WriteBatch();
        batch.Add(new KeyWrite(new PartitionKey("key"), KeyWriteKind.Merge, _expected, null, new Stamp(2, _writer, 2)) { Owner = _owner }, []);
        return new BatchedKey(batch, 0);
    }
}
