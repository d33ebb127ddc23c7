using Stout.Storage;

namespace Stout.Tests.Storage;

public sealed class SuspectKeysTests
{
    private readonly SuspectKeys _suspects = new();

    [Fact]
    public void Key_is_a_suspect_until_it_passes()
    {
        var key = new PartitionKey("key");
        Assert.False(_suspects.Contains(key));

        _suspects.Add(key);
        Assert.True(_suspects.Contains(key));

        _suspects.Remove(key);
        Assert.False(_suspects.Contains(key));
    }

    [Fact]
    public void Suspects_that_never_come_again_do_not_gather()
    {
        for (var i = 0; i < 10 * SuspectKeys.Capacity; i++)
            _suspects.Add(new PartitionKey($"{i}"));

        _suspects.Add(new PartitionKey("new"));
        Assert.True(_suspects.Contains(new PartitionKey("new")));
        Assert.InRange(Enumerable.Range(0, 10 * SuspectKeys.Capacity).Count(i => _suspects.Contains(new PartitionKey($"{i}"))), 0, SuspectKeys.Capacity - 1);
    }
}
