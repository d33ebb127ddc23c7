using Stout.Orleans.Facet;

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
}
