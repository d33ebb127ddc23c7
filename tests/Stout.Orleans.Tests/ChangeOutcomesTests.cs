using Stout.Orleans.Facet;

namespace Stout.Orleans.Tests;

/// <summary>The outcomes of the changes of a facet.</summary>
public sealed class ChangeOutcomesTests
{
    [Fact]
    public async Task A_refused_change_does_not_hide_that_an_earlier_one_is_durable()
    {
        var changes = new ChangeOutcomes();
        var sent = changes.Begin();
        changes.Refuse(changes.Begin());
        var mayBeStored = changes.MayBeStoredAsync(after: 0).AsTask();
        Assert.False(mayBeStored.IsCompleted);
        changes.Settle(sent);
        Assert.True(await mayBeStored);
        Assert.False(await changes.MayBeStoredAsync(after: sent));
    }
}
