using Stout.Lanes.Core;
using Stout.Tests.Lanes.Core;

namespace Stout.Tests.Lanes;

/// <summary>A lane's open keys: a handle is found by its key, and the table's memory shrinks as handles are removed.</summary>
public sealed class OpenHandlesTests
{
    private readonly OpenHandles _handles = new();
    private readonly CoreDriver _lane = new();

    [Fact]
    public void A_handle_is_found_by_its_key_until_it_is_removed()
    {
        var handle = Add("a");
        Assert.Same(handle, _handles.Find(new PartitionKey("a")));
        Assert.Null(_handles.Find(new PartitionKey("b")));

        _handles.Remove(handle);
        Assert.Null(_handles.Find(new PartitionKey("a")));
        Assert.Equal(0, _handles.Count);
    }

    [Fact]
    public void Memory_shrinks_with_the_handles_but_seldom()
    {
        var handles = Enumerable.Range(0, 20_000).Select(i => Add($"key {i}")).ToArray();
        var shrinks = 0;
        foreach (var handle in handles)
        {
            var room = _handles.Capacity;
            _handles.Remove(handle);
            if (_handles.Capacity == room)
                continue;
            shrinks++;
            Assert.True(_handles.Count < room / 4);
        }

        Assert.InRange(_handles.Capacity, 1, 2048);
        Assert.InRange(shrinks, 2, 8);
    }

    [Fact]
    public void A_few_handles_keep_their_room()
    {
        var handles = Enumerable.Range(0, 500).Select(i => Add($"key {i}")).ToArray();
        var room = _handles.Capacity;
        foreach (var handle in handles)
            _handles.Remove(handle);

        Assert.Equal(room, _handles.Capacity);
    }

    private KeyHandle Add(string key)
    {
        var handle = new KeyHandle(_lane, new PartitionKey(key));
        _handles.Add(handle);
        return handle;
    }
}
