using Stout.Lanes.Core;

namespace Stout.Documents;

/// <summary>
/// One version of one part of an object. A function stages the version in a change. Once the change is made, the object holds the version until the
/// part is set again or removed. The change and the object share this instance, so nothing is copied.
/// </summary>
internal sealed class Part(SubKey name) : PushedPart(name)
{
    /// <summary>The expiry of a value that does not expire.</summary>
    public const long Never = long.MaxValue;

    /// <summary>The length of the bytes, even after they were dropped.</summary>
    public int Size { get; private set; }

    /// <summary>The value, of the collection's type. Only immutable values are kept.</summary>
    public object? Value { get; set; }

    /// <summary>The approximate memory of the part once it is durable.</summary>
    public long HeldBytes => MemoryCost.OfPart(Name.Text, Value, Size);

    /// <summary>Whether this is the part's newest version and not durable yet.</summary>
    public bool IsUndurable { get; set; }

    /// <summary>Whether this version is or was in the store. If so, no batch needs its bytes any more, and memory may keep only the value.</summary>
    public bool IsStored { get; set; }

    /// <summary>For an object's own value: the object's expiry in UTC ticks; 0 while unknown.</summary>
    public long ExpiresAt { get; set; }

    /// <summary>Whether the part is an object's own value with a known time of expiry.</summary>
    public bool Expires => ExpiresAt is not (0 or Never);

    /// <summary>The next part of the same change.</summary>
    public Part? NextPart => (Part?)NextOfChange;

    /// <summary>
    /// A hash of the dropped bytes. If a new version has another hash, the bytes differ, and the value need not be serialized again for comparison.
    /// </summary>
    private int _hashOfDropped;

    /// <summary>Whether a new version may have the same bytes as this one.</summary>
    public bool MayEqual(Part made) =>
        Size == made.Size && (Bytes.Length == Size ? Bytes.Span.SequenceEqual(made.Bytes.Span) : _hashOfDropped == HashOf(made.Bytes));

    public void SetBytes(ReadOnlyMemory<byte> bytes)
    {
        Bytes = bytes;
        Size = bytes.Length;
    }

    /// <summary>Drops the bytes if the store has them and the value is kept.</summary>
    public void DropBytesIfNotNeeded()
    {
        if (Value is null || !IsStored || Bytes.IsEmpty)
            return;
        _hashOfDropped = HashOf(Bytes);
        Bytes = default;
    }

    private static int HashOf(ReadOnlyMemory<byte> bytes)
    {
        var hash = new HashCode();
        hash.AddBytes(bytes.Span);
        return hash.ToHashCode();
    }
}
