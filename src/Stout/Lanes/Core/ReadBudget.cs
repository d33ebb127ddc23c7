namespace Stout.Lanes.Core;

/// <summary>
/// Bounds the bytes of reads in progress. A read is in progress until its object is deserialized. A key counts by the mean size of recent reads, and by
/// its own size once it is read.
/// </summary>
/// <param name="mostTogether">The most bytes of one request.</param>
/// <param name="most">The most bytes of all requests in flight and of objects being deserialized.</param>
internal sealed class ReadBudget(long mostTogether, long most)
{
    // The assumed size of an object before the first read: 16 KiB, that of an ordinary document. It keeps most first bursts within the bound.
    private const long FirstGuess = 16 << 10;

    private long _mean = Math.Min(FirstGuess, mostTogether / 1024);

    /// <summary>The bytes of reads in progress.</summary>
    public long Bytes { get; private set; }

    /// <summary>
    /// Whether a request of <paramref name="keys"/> keys may take another key. One key is always allowed while no read is in progress.
    /// </summary>
    public bool HasRoom(int keys) =>
        (keys == 0 || (keys + 1) * _mean <= mostTogether) && (Bytes == 0 || Bytes + _mean <= most);

    /// <summary>Counts a key at the start of its read.</summary>
    public void Begin(KeyFill fill) => Count(fill, Math.Max(1, _mean));

    /// <summary>Counts a key by its size after its read.</summary>
    public void Read(KeyFill fill, long bytes) => Count(fill, Math.Max(1, bytes));

    /// <summary>Stops counting a key.</summary>
    public void End(KeyFill fill) => Count(fill, 0);

    /// <summary>
    /// Updates the mean, which rises at once and falls slowly. Too low a mean lets reads exceed the memory bounds; too high a mean splits them into more
    /// requests.
    /// </summary>
    public void Answered(int keys, long bytes)
    {
        if (keys == 0)
            return;
        var mean = bytes / keys;
        _mean = mean >= _mean ? mean : _mean - ((_mean - mean + 7) / 8);
    }

    private void Count(KeyFill fill, long bytes)
    {
        Bytes += bytes - fill.CountedBytes;
        fill.CountedBytes = bytes;
    }
}
