using Stout.Lanes;

namespace Stout.Documents;

/// <summary>
/// One version of one part of an object: staged by a change, then what the object holds, until the next version or removal takes
/// its place. Shared, so that a change copies nothing.
/// </summary>
internal sealed class Part(SubKey name) : PushedPart(name)
{
    /// <summary>The length of the bytes, also once they have been dropped.</summary>
    public int Size { get; private set; }

    /// <summary>The value itself, of the collection's type. Only immutable values are kept: the bytes are the truth.</summary>
    public object? Value { get; set; }

    /// <summary>What the part takes in memory, about, once it is durable.</summary>
    public long HeldBytes => MemoryCost.OfPart(Name.Text, Value, Size);

    /// <summary>Whether this is the part's newest version and not durable yet.</summary>
    public bool IsUndurable { get; set; }

    /// <summary>Whether the store has had this version, so that the value may take the place of the bytes: no batch will carry them.</summary>
    public bool IsStored { get; set; }

    /// <summary>The next part of the same change.</summary>
    public Part? NextPart => (Part?)NextOfChange;

    /// <summary>Tells the bytes from others once they have been dropped; most often.</summary>
    private int _hashOfDropped;

    /// <summary>Whether a new version may have the same bytes as this one.</summary>
    public bool MayEqual(Part made) =>
        Size == made.Size && (Bytes.Length == Size ? Bytes.Span.SequenceEqual(made.Bytes.Span) : _hashOfDropped == HashOf(made.Bytes));

    public void SetBytes(ReadOnlyMemory<byte> bytes)
    {
        Bytes = bytes;
        Size = bytes.Length;
    }

    /// <summary>Drops the bytes, if the store has them and there is a value to read.</summary>
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
