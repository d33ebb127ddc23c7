namespace Stout.Lanes;

/// <summary>
/// The bytes of reads under way, until their objects are made. A key counts by the mean size of recent reads until it is read, and by its
/// own size from then on.
/// </summary>
/// <param name="mostTogether">The most bytes of one request.</param>
/// <param name="most">The most bytes of all requests, and of what is being deserialized.</param>
internal sealed class ReadBudget(long mostTogether, long most)
{
    // Before the first read nothing is known: the size of usual documents, so that a first burst keeps within the bound for most.
    private const long FirstGuess = 16 << 10;

    private long _mean = Math.Min(FirstGuess, mostTogether / 1024);

    /// <summary>Bytes under way.</summary>
    public long Bytes { get; private set; }

    /// <summary>Whether a key may join a request of <paramref name="keys"/> keys. A single one always may while nothing is under way, whatever its size.</summary>
    public bool HasRoom(int keys) =>
        (keys == 0 || (keys + 1) * _mean <= mostTogether) && (Bytes == 0 || Bytes + _mean <= most);

    /// <summary>A key is about to be read.</summary>
    public void Begin(KeyFill fill) => Count(fill, Math.Max(1, _mean));

    /// <summary>A key has been read, and waits for its object.</summary>
    public void Read(KeyFill fill, long bytes) => Count(fill, Math.Max(1, bytes));

    /// <summary>A key is no longer under way.</summary>
    public void End(KeyFill fill) => Count(fill, 0);

    /// <summary>A request was answered: the mean rises at once and falls slowly, since too low an estimate costs memory and too high a one only a round trip.</summary>
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
