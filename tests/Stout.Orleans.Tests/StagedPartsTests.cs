using Stout.Orleans.Facet;
using Stout.Orleans.Storage;
using Stout.Storage;

namespace Stout.Orleans.Tests;

/// <summary>The outcomes of changes that a facet has staged.</summary>
public sealed class StagedPartsTests
{
    [Fact]
    public async Task A_refused_change_does_not_hide_that_an_earlier_one_is_durable()
    {
        var staged = new StagedParts();
        var sent = staged.Stage(SubKey.Root, new byte[] { 1 });
        staged.Refuse(staged.Stage(SubKey.Root, new byte[] { 2 }));
        var mayBeStored = staged.MayBeStoredAsync(after: 0).AsTask();
        Assert.False(mayBeStored.IsCompleted);
        staged.Settle(sent);
        Assert.True(await mayBeStored);
        Assert.False(await staged.MayBeStoredAsync(after: sent));
    }

    /// <summary>The batch begins after the first part was marked and before the second one is.</summary>
    [Fact]
    public async Task Parts_that_are_staged_together_leave_in_one_batch()
    {
        var cancel = TestContext.Current.CancellationToken;
        var (staged, application, key) = (new StagedParts(), new GrainApplication(), new PartitionKey("pair"));
        await using var client = await StoutClient.OpenAsync(new InMemoryStore(), application, cancellationToken: cancel);
        var handle = await client.FillAsync(key, cancel);
        application.Attach(handle, staged);
        var (first, second) = (new SubKey("first"), new SubKey("second"));
        staged.Stage(first, new byte[] { 1 });
        staged.Stage(second, new byte[] { 2 });
        await handle.MarkDirtyAsync(first, cancel);
        Assert.Equal([first, second], (await client.PeekAsync(key, cancel)).Parts.Select(part => part.SubKey).Order());

        // Parts that the former batch has taken are not written a second time with the next one.
        staged.Stage(second, null);
        await handle.MarkDirtyAsync(second, cancel);
        Assert.Equal([first], (await client.PeekAsync(key, cancel)).Parts.Select(part => part.SubKey));
    }
}
