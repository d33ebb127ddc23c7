using Stout.Lanes;

namespace Stout.Paper;

/// <summary>One part that the callback has written, or a deleted part. Pooled with its batch.</summary>
internal sealed class SerializedPart() : PushedPart(SubKey.Root)
{
    public int Start { get; private set; }

    public int Length { get; set; }

    /// <summary>The index of the key's next part; −1 for its last one.</summary>
    public int Next { get; set; }

    public void Begin(SubKey name, int start)
    {
        Name = name;
        IsRemoval = false;
        Start = start;
        Length = 0;
        Next = -1;
    }

    /// <summary>Takes the part's bytes. The array of an unfinished batch may still be replaced by a larger one.</summary>
    public void Seal(SerializedBytes bytes) => Bytes = bytes.Slice(Start, Length);

    /// <summary>Drops the references.</summary>
    public void Clear()
    {
        Name = SubKey.Root;
        Bytes = default;
    }
}
