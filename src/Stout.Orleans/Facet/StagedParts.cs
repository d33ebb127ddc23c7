using Stout.Orleans.Storage;

namespace Stout.Orleans.Facet;

/// <summary>
/// The serialized parts of a state that are not durable yet. The grain stages them in its turn; the batch that carries the key takes them on the thread pool.
/// </summary>
internal sealed class StagedParts : IKeyContent
{
    private readonly Lock _lock = new();
    private readonly Dictionary<SubKey, Staged> _parts = [];
    private long _last;
    private long _safe;

    /// <summary>Whether all that was staged is durable.</summary>
    public bool IsSafe => Volatile.Read(ref _safe) == Volatile.Read(ref _last);

    /// <summary>Stages a part's bytes.</summary>
    /// <param name="part">The part.</param>
    /// <param name="bytes">Its bytes; null if it goes.</param>
    /// <returns>The number of the change.</returns>
    public long Stage(SubKey part, ReadOnlyMemory<byte>? bytes)
    {
        lock (_lock)
        {
            _parts[part] = new Staged(bytes, IsTaken: false);
            return ++_last;
        }
    }

    /// <summary>Everything that was staged goes, with the object.</summary>
    /// <returns>The number of the change.</returns>
    public long StageDeletion()
    {
        lock (_lock)
        {
            _parts.Clear();
            return ++_last;
        }
    }

    /// <summary>The changes up to one are durable. Once all are, their bytes are needed no longer.</summary>
    public void Settle(long change)
    {
        lock (_lock)
        {
            _safe = Math.Max(_safe, change);
            if (_safe == _last)
                _parts.Clear();
        }
    }

    /// <inheritdoc/>
    public void Serialize(SerializationKey key)
    {
        lock (_lock)
        {
            foreach (var part in key.DirtyParts)
                Write(key, part, _parts.GetValueOrDefault(part));
            // Changes staged together leave together, even if their mark is still under way.
            foreach (var (part, staged) in _parts)
            {
                if (!staged.IsTaken && !key.DirtyParts.Contains(part))
                    Write(key, part, staged);
            }

            foreach (var part in _parts.Keys)
                _parts[part] = _parts[part] with { IsTaken = true };
        }
    }

    private static void Write(SerializationKey key, SubKey part, Staged staged)
    {
        if (staged.Bytes is { } bytes)
            System.Buffers.BuffersExtensions.Write(key.Write(part), bytes.Span);
        else
            key.Delete(part);
    }

    private readonly record struct Staged(ReadOnlyMemory<byte>? Bytes, bool IsTaken);
}
