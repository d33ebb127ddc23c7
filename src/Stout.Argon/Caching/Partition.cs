using Stout.Argon.Engine;

namespace Stout.Argon.Caching;

/// <summary>
/// One service's part of the cache (the paper, section 3.4); without insulation all services share one. Prefetched blocks are in a separate list
/// until they are read, so that other reads of the service do not evict them.
/// </summary>
internal sealed class Partition
{
    /// <summary>Bounds the victims examined in one search, and so the time of one event.</summary>
    private const int MostLooks = 64;

    private readonly Frame[] _frames;

    public Partition(EvictionKind kind, NodeLinks links, Frame[] frames)
    {
        _frames = frames;
        Blocks = EvictionPolicy.Create(kind, links);
        Unread = new LruPolicy(links);
    }

    /// <summary>Blocks that were requested, in the policy's order.</summary>
    public EvictionPolicy Blocks { get; }

    /// <summary>Prefetched blocks that were never read, oldest first.</summary>
    public LruPolicy Unread { get; }

    /// <summary>The number of frames that the partition may hold.</summary>
    public int Target { get; set; }

    /// <summary>The number of frames that the partition holds.</summary>
    public int Used { get; set; }

    /// <summary>The number of dirty frames that the partition holds.</summary>
    public int Dirty { get; set; }

    /// <summary>Requests that wait for frames, in arrival order.</summary>
    public Queue<Request> Waiting { get; } = new();

    /// <summary>
    /// A frame that can be evicted now, or -1. Dirty frames that precede it in the policy's order are passed to <paramref name="clean"/>, which writes them
    /// back.
    /// </summary>
    public int Victim(Action<int> clean)
    {
        var looks = MostLooks;
        for (var frame = Blocks.First(); frame != NodeLinks.None && looks-- > 0; frame = Blocks.After(frame))
        {
            if (_frames[frame].Pins > 0 || _frames[frame].Exclusive)
                continue;
            if (!_frames[frame].Dirty)
                return frame;
            if (_frames[frame].Io is null)
                clean(frame);
        }

        return NodeLinks.None;
    }

    /// <summary>A prefetched frame that can be evicted, or -1.</summary>
    public int UnreadVictim()
    {
        var looks = MostLooks;
        for (var frame = Unread.First(); frame != NodeLinks.None && looks-- > 0; frame = Unread.After(frame))
        {
            if (_frames[frame] is { Pins: 0, State: FrameState.Valid, Dirty: false })
                return frame;
        }

        return NodeLinks.None;
    }

    /// <summary>Passes at most <paramref name="most"/> of the oldest dirty frames to <paramref name="clean"/>, which writes them back.</summary>
    public void Clean(int most, Action<int> clean)
    {
        var looks = MostLooks;
        for (var frame = Blocks.Oldest; frame != NodeLinks.None && looks-- > 0 && most > 0; frame = Blocks.NewerThan(frame))
        {
            if (_frames[frame] is { Dirty: true, Io: null })
            {
                clean(frame);
                most--;
            }
        }
    }
}
