namespace Stout.Argon.Experiments.Profiles;

/// <summary>A write-back LRU cache that keeps its blocks in a plain list. Cache profiles are checked against it.</summary>
internal sealed class NaiveCache(int size)
{
    private readonly LinkedList<long> _order = new();
    private readonly Dictionary<long, (LinkedListNode<long> Node, int Written)> _blocks = [];

    public int Absorbed { get; private set; }

    public void Reference(long key, bool write, int flushes)
    {
        var written = -1;
        if (_blocks.Remove(key, out var block))
        {
            written = block.Written;
            _order.Remove(block.Node);
            if (!write || written == flushes)
                Absorbed++;
        }

        _blocks[key] = (_order.AddFirst(key), write ? flushes : written);
        if (_blocks.Count <= size)
            return;
        _blocks.Remove(_order.Last!.Value);
        _order.RemoveLast();
    }
}
