using Stout.Lanes.Core;

namespace Stout.Paper;

/// <summary>The callback's answer for one part: its bytes, or its removal. Pooled with its batch.</summary>
internal sealed class SerializedPart() : PushedPart(SubKey.Root)
{
    private int _start;

    public int Length { get; private set; }

    // The store does not have the bytes, so the callback writes the part again.
    public override PushedPart Again => IsRemoval ? MarkedPart.Deleted : MarkedPart.Dirty;

    public void Begin(bool isRemoval, int start)
    {
        IsRemoval = isRemoval;
        _start = start;
        Length = 0;
    }

    public void End(int end) => Length = end - _start;

    /// <summary>Takes the part's bytes. The array of an unfinished batch may still be replaced by a larger one.</summary>
    public void Seal(SerializedBytes bytes) => Bytes = bytes.Slice(_start, Length);

    public void Clear() => Bytes = default;
}
