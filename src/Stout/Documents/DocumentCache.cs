namespace Stout.Documents;

/// <summary>
/// Keeps the number of documents in memory and their bytes within bounds, by the second-chance algorithm (CLOCK): the documents
/// stand in a ring, and a hand goes round and evicts documents that have not been used since it last came by.
/// </summary>
/// <remarks>
/// The hand moves only when a document comes or becomes clean, and then a few steps at most: so it costs O(1) each time,
/// also when nothing can be evicted because all is dirty or in use. Until something can, the bounds are exceeded: losing a change
/// is no way to save memory, and <see cref="StoutOptions.MaxUndurableBytes"/> bounds what is dirty.
/// </remarks>
internal sealed class DocumentCache(int maxObjects, long maxBytes)
{
    /// <summary>More than one, so that the hand catches up after a time when all was dirty.</summary>
    private const int StepsPerTrim = 16;

    private readonly Lock _ringLock = new();
    private Document? _hand;
    private int _count;
    private long _bytes;

    /// <summary>Documents in the ring: without those being filled or evicted.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>What the documents in the ring take in memory, about.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    private bool IsOverfull => Count > maxObjects || Bytes > maxBytes;

    public void Add(Document document)
    {
        lock (_ringLock)
        {
            var node = document.CacheNode;
            node.IsReferenced = true;
            node.IsInRing = true;
            if (_hand is null)
            {
                _hand = node.Previous = node.Next = document;
            }
            else
            {
                // Behind the hand: it comes there last.
                (node.Previous, node.Next) = (_hand.CacheNode.Previous, _hand);
                node.Previous!.CacheNode.Next = document;
                _hand.CacheNode.Previous = document;
            }

            _count++;
        }

        Grow(document, document.HeldBytes);
    }

    /// <summary>Takes a document out, if it is in the ring.</summary>
    public void Remove(Document document)
    {
        lock (_ringLock)
        {
            if (document.CacheNode.IsInRing)
                Unlink_NeedsRingLock(document);
        }
    }

    /// <summary>Notes that a document has grown, or shrunk.</summary>
    public void Grow(Document document, long bytes)
    {
        if (bytes == 0)
            return;
        Interlocked.Add(ref document.CacheNode.Bytes, bytes);
        Interlocked.Add(ref _bytes, bytes);

        // It may have been taken out just now: then one of the two takes its bytes off, and only one.
        if (!document.CacheNode.IsInRing)
            TakeOff(document.CacheNode);
    }

    /// <summary>Evicts what it finds idle within a few steps, if there is too much.</summary>
    public void Trim()
    {
        for (var step = 0; step < StepsPerTrim && IsOverfull; step++)
        {
            if (NextIdle() is { } document)
                _ = document.EvictAsync(); // Its errors end there; calls wait at the document's gate.
        }
    }

    private Document? NextIdle()
    {
        lock (_ringLock)
        {
            if (_hand is not { } document)
                return null;
            _hand = document.CacheNode.Next;
            if (document.CacheNode.IsReferenced)
            {
                document.CacheNode.IsReferenced = false;
                return null;
            }

            if (!document.TryShutGateForEviction())
                return null;
            Unlink_NeedsRingLock(document);
            return document;
        }
    }

    private void Unlink_NeedsRingLock(Document document)
    {
        var node = document.CacheNode;
        if (ReferenceEquals(node.Next, document))
        {
            _hand = null;
        }
        else
        {
            node.Previous!.CacheNode.Next = node.Next;
            node.Next!.CacheNode.Previous = node.Previous;
            if (ReferenceEquals(_hand, document))
                _hand = node.Next;
        }

        node.Previous = node.Next = null;
        node.IsInRing = false;
        _count--;
        TakeOff(node);
    }

    private void TakeOff(CacheNode node) => Interlocked.Add(ref _bytes, -Interlocked.Exchange(ref node.Bytes, 0));
}

/// <summary>A document's place in the cache's ring.</summary>
internal sealed class CacheNode
{
    /// <summary>What the document counts in the cache's bytes.</summary>
    public long Bytes;

    private volatile bool _isInRing;

    public Document? Previous { get; set; }

    public Document? Next { get; set; }

    public bool IsInRing { get => _isInRing; set => _isInRing = value; }

    /// <summary>Whether the document was used since the hand last came by. Set without a lock: a lost one costs a refill.</summary>
    public bool IsReferenced { get; set; }
}
