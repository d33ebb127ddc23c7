using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    private const string Secret = "s3cr3t";

    /// <summary>An error that <see cref="ConnectInTroubleAsync"/> causes is reported with its kind, also if opening the store fails.</summary>
    [Theory]
    [InlineData(StoreErrorKind.Unreachable)]
    [InlineData(StoreErrorKind.Overloaded)]
    [InlineData(StoreErrorKind.Busy)]
    [InlineData(StoreErrorKind.LimitExceeded)]
    [InlineData(StoreErrorKind.Unknown)]
    [InlineData(StoreErrorKind.Refused)]
    [InlineData(StoreErrorKind.Full)]
    [InlineData(StoreErrorKind.Locked)]
    [InlineData(StoreErrorKind.LayoutMismatch)]
    [InlineData(StoreErrorKind.Corrupt)]
    public async Task Trouble_of_the_store_is_reported_as_what_it_is(StoreErrorKind trouble)
    {
        await using var proxy = await ConnectInTroubleAsync(trouble, Time);
        Assert.SkipWhen(proxy is null, $"The test class makes no store that is in this trouble: {trouble}.");

        var outcome = await TryAsync(proxy);

        var expected = WriteOutcome.Of(new StoreException(trouble, "")).Kind;
        Assert.True(expected == outcome.Kind, $"The write's outcome is {outcome.Kind} and should be {expected}; {outcome.Error}");
        if (outcome.Error is StoreException error)
            Assert.Equal(trouble, error.Kind);
        Assert.DoesNotContain(Secret, $"{outcome.Error}", StringComparison.Ordinal);

        static async Task<WriteOutcome> TryAsync(IStorageProxy proxy)
        {
            try
            {
                // Without "await using", since the test disposes the proxy itself.
                var store = await StoreClient.OpenAsync(proxy);
                var batch = new WriteBatch();
                store.Add(batch, store.NewWrite(Secret, Stamp.Absent), Part(Secret, Secret));
                await store.WriteAsync(batch);
                return batch.OutcomeOf(0);
            }
            catch (StoreException error)
            {
                return WriteOutcome.Of(error);
            }
        }
    }

    /// <summary>
    /// A cancelled write may always be reported as unknown; "committed" and "not applied" must be true. Repeating the write settles its outcome.
    /// </summary>
    [Fact]
    public async Task Write_that_is_cancelled_is_never_reported_as_what_it_is_not()
    {
        await using var store = await OpenAsync();
        var batch = new WriteBatch();
        store.Add(batch, store.NewWrite("key", Stamp.Absent), Part("", "value"));
        try
        {
            await store.WriteAsync(store.PartitionOf(batch[0].Key), batch, new CancellationToken(canceled: true));
        }
        catch (Exception error) when (error is OperationCanceledException or StoreException)
        {
            batch.Fail(error);
        }

        var cancelled = batch.OutcomeOf(0).Kind;
        var isThere = (await store.ReadAsync("key")).Exists;
        Assert.True(cancelled == WriteOutcomeKind.Unknown || cancelled == WriteOutcomeKind.Committed == isThere, $"{cancelled}, but there: {isThere}");

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(batch[0], Part("", "value"))).Kind);
        Assert.Equal("=value", Show(await store.ReadAsync("key")));
    }

    /// <summary>Errors appear in logs, so they contain no key and no value.</summary>
    [Fact]
    public async Task What_the_proxy_says_names_no_key_and_no_value()
    {
        await using var store = await OpenAsync();
        await store.PutAsync(Secret, Stamp.Absent, parts: [Part(Secret, Secret)]);

        var conflict = await store.WriteAsync(store.NewWrite(Secret, store.NextStamp()), Part(Secret, Secret));

        Assert.DoesNotContain(Secret, $"{conflict.Error}", StringComparison.Ordinal);
    }
}
