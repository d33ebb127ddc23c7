using System.Buffers;
using Stout.Paper;

namespace Stout.Tests.Paper;

/// <summary>The bytes of a batch: callbacks write them into an array that grows and returns to the pool.</summary>
public sealed class SerializedBytesTests
{
    private readonly SerializedBytes _bytes = new();

    [Fact]
    public void What_was_written_stays_while_there_comes_more()
    {
        for (var i = 0; i < 30_000; i++)
        {
            _bytes.GetSpan()[0] = (byte)i;
            _bytes.Advance(1);
        }

        Assert.Equal(30_000, _bytes.Length);
        Assert.Equal(Enumerable.Range(0, 30_000).Select(i => (byte)i), _bytes.Slice(0, 30_000).ToArray());
        Assert.Equal([7, 8, 9], _bytes.Slice(7, 3).ToArray());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4095)]
    [InlineData(4096)]
    public void There_is_room_for_what_is_asked_for_and_for_a_byte_at_least(int written)
    {
        _bytes.GetSpan(4096);
        _bytes.Advance(written);

        Assert.True(_bytes.GetSpan().Length >= 1);
        Assert.True(_bytes.GetMemory(10_000).Length >= 10_000);
        Assert.True(_bytes.GetSpan(20_000).Length >= 20_000);
    }

    [Fact]
    public void The_array_starts_large_enough_for_most_and_doubles()
    {
        Assert.Equal(4096, _bytes.GetSpan(1).Length);
        _bytes.Advance(4096);
        Assert.Equal(4096, _bytes.GetSpan(1).Length);
        _bytes.Advance(4096);
        Assert.Equal(8192, _bytes.GetMemory(1).Length);

        // One byte of room is left, which is enough, so the array does not grow.
        _bytes.Advance(8191);
        Assert.Equal(1, _bytes.GetSpan(1).Length);
    }

    [Fact]
    public void A_writer_goes_no_further_than_its_room()
    {
        var room = _bytes.GetSpan(100).Length;
        Assert.Throws<ArgumentOutOfRangeException>(() => _bytes.Advance(room + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => _bytes.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => { _bytes.GetMemory(-1); });
        Assert.Equal(0, _bytes.Length);

        _bytes.Advance(room);
        Assert.Throws<ArgumentOutOfRangeException>(() => _bytes.Advance(1));
    }

    [Fact]
    public void A_writer_that_is_kept_after_the_end_is_dead_until_the_next_batch()
    {
        _bytes.GetSpan(10);
        _bytes.IsSealed = true;
        Assert.Throws<InvalidOperationException>(() => _bytes.Advance(1));
        Assert.Throws<InvalidOperationException>(() => { _bytes.GetSpan(1); });
        Assert.Throws<InvalidOperationException>(() => { _bytes.GetMemory(1); });

        _bytes.Clear();
        Assert.Equal(0, _bytes.Length);
        _bytes.GetSpan(1)[0] = 1;
        _bytes.Advance(1);
        Assert.Equal([1], _bytes.Slice(0, 1).ToArray());
    }

    [Fact]
    public void Arrays_go_back_to_the_pool()
    {
        // A garbage collection may empty the array pool during one attempt, but hardly during all 20.
        Assert.Contains(Enumerable.Range(0, 20), _ => IsPooled(() => _bytes.Clear()));
        Assert.Contains(Enumerable.Range(0, 20), _ => IsPooled(() => _bytes.GetSpan(5000)));
    }

    // Whether an array of 4096 bytes comes back to the pool when `letGo` runs.
    private bool IsPooled(Action letGo)
    {
        _bytes.Clear();
        Assert.True(System.Runtime.InteropServices.MemoryMarshal.TryGetArray<byte>(_bytes.GetMemory(4096), out var used));
        letGo();
        var rented = ArrayPool<byte>.Shared.Rent(4096);
        ArrayPool<byte>.Shared.Return(rented);
        return rented == used.Array;
    }
}
