namespace Stout.Documents;

/// <summary>
/// Bounds the number of documents in memory and their bytes, with the second-chance algorithm (CLOCK). The documents form a ring. A hand moves around
/// it, and evicts documents that were not used since its last visit.
/// </summary>
/// <remarks>
/// The hand moves only when a document is added or becomes clean, and then a few steps at most, so the cost is O(1). Documents that are dirty or in use by a
/// call are never evicted, so the bounds may be exceeded. <see cref="StoutOptions.MaxUndurableBytes"/> bounds the dirty documents.
/// </remarks>
internal sealed class DocumentCache(int maxObjects, long maxBytes)
{
    /// <summary>
    /// The most steps of the hand in one trim. With several steps for each added document, the cache returns to its bounds after a time when all documents were
    /// dirty.
    /// </summary>
    private const int StepsPerTrim = 16;

    private readonly Lock _ringLock = new();
    private Document? _hand;
    private int _count;
    private long _bytes;

    /// <summary>The number of documents in the ring, without those being filled or evicted.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The approximate memory of the documents in the ring.</summary>
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
                // Inserts the document directly behind the hand, so that the hand visits all other documents first.
                (node.Previous, node.Next) = (_hand.CacheNode.Previous, _hand);
                node.Previous!.CacheNode.Next = document;
                _hand.CacheNode.Previous = document;
            }

            _count++;
        }

        Grow(document, document.HeldBytes);
    }

    /// <summary>Removes a document, if it is in the ring.</summary>
    public void Remove(Document document)
    {
        lock (_ringLock)
        {
            if (document.CacheNode.IsInRing)
                Unlink_NeedsRingLock(document);
        }
    }

    /// <summary>Counts the growth of a document's memory, in bytes; negative if the document has shrunk.</summary>
    public void Grow(Document document, long bytes)
    {
        if (bytes == 0)
            return;
        Interlocked.Add(ref document.CacheNode.Bytes, bytes);
        Interlocked.Add(ref _bytes, bytes);

        // The document may have been removed concurrently. Then exactly one of the two threads subtracts the document's bytes.
        if (!document.CacheNode.IsInRing)
            TakeOff(document.CacheNode);
    }

    /// <summary>Evicts idle documents within a few steps, if a bound is exceeded.</summary>
    public void Trim()
    {
        for (var step = 0; step < StepsPerTrim && IsOverfull; step++)
        {
            if (NextIdle() is { } document)
                _ = document.EvictAsync(); // Not awaited: the method catches its errors, and calls wait at the document's gate.
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

/// <summary>A document's node in the ring.</summary>
internal sealed class CacheNode
{
    /// <summary>The document's share of the cache's bytes.</summary>
    public long Bytes;

    private volatile bool _isInRing;

    public Document? Previous { get; set; }

    public Document? Next { get; set; }

    public bool IsInRing { get => _isInRing; set => _isInRing = value; }

    /// <summary>
    /// Whether the document was used since the hand's last visit. Set without a lock: a lost update at worst evicts the document too early, which costs
    /// one fill.
    /// </summary>
    public bool IsReferenced { get; set; }
}
