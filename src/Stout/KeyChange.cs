using System.Diagnostics;
using Stout.Lanes.Shell;

namespace Stout;

/// <summary>
/// A change of one key with its bytes: parts that are set or removed together, perhaps after a deletion of the whole object. Write it once, with
/// <see cref="KeyHandle.WriteAsync(KeyChange, CancellationToken)"/>.
/// </summary>
[DebuggerDisplay("{PartCount} parts, {Bytes} bytes, replaces: {ReplacesObject}")]
public sealed class KeyChange
{
    private WrittenPart? _last;
    private int _isWritten;

    /// <summary>Whether the change first deletes the whole object. Without any part, the change is a deletion. Default: false.</summary>
    public bool ReplacesObject { get; init; }

    /// <summary>The number of parts that are set or removed.</summary>
    public int PartCount { get; private set; }

    /// <summary>The size of all parts in bytes.</summary>
    public long Bytes { get; private set; }

    internal WrittenPart? First { get; private set; }

    internal int LargestPart { get; private set; }

    /// <summary>Sets a part. The last call for a part counts.</summary>
    /// <param name="part">The part; the empty sub-key names the object's own value.</param>
    /// <param name="bytes">The part's bytes. The change owns them from now on, so they must not change any more.</param>
    /// <returns>This change.</returns>
    public KeyChange Set(SubKey part, ReadOnlyMemory<byte> bytes) => Add(new WrittenPart(part, bytes));

    /// <summary>Removes a part. The object stays, even without any part.</summary>
    /// <param name="part">The part; the empty sub-key names the object's own value.</param>
    /// <returns>This change.</returns>
    public KeyChange Remove(SubKey part) => Add(new WrittenPart(part, default) { IsRemoval = true });

    /// <summary>Notes that the change is handed to a lane, which happens once. A change that was not admitted can be written again.</summary>
    internal void BeginWrite()
    {
        if (PartCount == 0 && !ReplacesObject)
            throw new InvalidOperationException("The change is empty.");
        if (Interlocked.Exchange(ref _isWritten, 1) != 0)
            throw new InvalidOperationException("The change was written before.");
    }

    private KeyChange Add(WrittenPart part)
    {
        if (Volatile.Read(ref _isWritten) != 0)
            throw new InvalidOperationException("The change was written before.");
        if (_last is null)
            First = part;
        else
            _last.NextOfChange = part;
        _last = part;
        PartCount++;
        Bytes += part.Bytes.Length;
        LargestPart = Math.Max(LargestPart, part.Bytes.Length);
        return this;
    }
}
