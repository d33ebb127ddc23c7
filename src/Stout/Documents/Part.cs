namespace Stout.Documents;

/// <summary>
/// One version of one part of an object: staged by a change, then what the object holds, until the next version or removal takes
/// its place. Shared by all who need it, so that a change copies nothing.
/// </summary>
internal sealed class Part(SubKey name)
{
    public SubKey Name { get; } = name;

    /// <summary>Whether this version is the part's absence.</summary>
    public bool IsRemoval { get; init; }

    /// <summary>The length of the bytes, also once they have been dropped.</summary>
    public int Size { get; private set; }

    /// <summary>The serialized value; empty once they have been dropped in favour of <see cref="Value"/>.</summary>
    public ReadOnlyMemory<byte> Bytes { get; private set; }

    /// <summary>The value itself, of the collection's type. Only values that nobody can change are kept: the bytes are the truth.</summary>
    public object? Value { get; set; }

    /// <summary>What the part takes in memory, about, once it is durable.</summary>
    public long HeldBytes => MemoryCost.OfPart(Name.Text, Value, Size);

    /// <summary>Whether this is the part's newest version and not durable yet.</summary>
    public bool IsUndurable { get; set; }

    /// <summary>The place in the list of what no batch has carried yet; −1 when it is not there.</summary>
    public int UnwrittenIndex { get; set; } = -1;

    /// <summary>The next part of the same change.</summary>
    public Part? NextOfChange { get; set; }

    public void SetBytes(ReadOnlyMemory<byte> bytes)
    {
        Bytes = bytes;
        Size = bytes.Length;
    }

    /// <summary>Once a version is durable nobody will ask for its bytes again, if there is a value to read.</summary>
    public void DropBytesIfNotNeeded()
    {
        if (Value is not null && !IsUndurable)
            Bytes = default;
    }
}
