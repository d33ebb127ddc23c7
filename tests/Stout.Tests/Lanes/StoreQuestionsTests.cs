using Microsoft.Extensions.Time.Testing;
using Stout.Lanes.Shell;
using Stout.Storage;

namespace Stout.Tests.Lanes;

/// <summary>Requests without a lane, whose store's driver throws an exception of its own.</summary>
public sealed class StoreQuestionsTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_read_whose_driver_throws_fails_with_a_store_exception_that_has_the_drivers_inside(bool inOutcome)
    {
        var (time, options) = (new FakeTimeProvider(), new StoutOptions());
        var store = new ThrowingPartition(inOutcome, () => time.Advance(options.UnreachableTimeout));

        var error = await Assert.ThrowsAsync<StoreException>(
            () => new StoreQuestions(options, time, null).ReadAsync(store, new KeyRead(new PartitionKey("a")), Token).AsTask());

        Assert.Equal(StoreErrorKind.Unknown, error.Kind);
        Assert.IsType<IOException>(error.InnerException);
    }

    private sealed class ThrowingPartition(bool inOutcome, Action passTime) : IStorePartition
    {
        public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
        {
            passTime();
            var error = new IOException("cut");
            if (!inOutcome)
                throw error;
            batch.SetOutcome(0, ReadOutcome.Of(error));
            return ValueTask.CompletedTask;
        }

        public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken) => throw new NotSupportedException();
    }
}
