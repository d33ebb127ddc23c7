namespace Stout.Storage;

/// <summary>The reads of one store request. Set the outcome of each before the call ends.</summary>
public sealed class ReadBatch
{
    private readonly List<KeyRead> _reads = [];
    private readonly List<ReadOutcome> _outcomes = [];
    private int _progress;

    /// <summary>The number of keys.</summary>
    public int Count => _reads.Count;

    /// <summary>
    /// Says that a step of a read that takes several has ended, such as a page of a large object. The lane counts
    /// <see cref="StoutOptions.RequestTimeout"/> anew, so that an object of any size can be read.
    /// </summary>
    public void ReportProgress() => Volatile.Write(ref _progress, 1);

    /// <returns>Whether progress was reported since the last call.</returns>
    internal bool TakeProgress() => Interlocked.Exchange(ref _progress, 0) != 0;

    /// <summary>One key to read.</summary>
    /// <param name="index">0 to <see cref="Count"/> − 1.</param>
    public KeyRead this[int index] => _reads[index];

    /// <summary>What was read of one key; unknown until it is set.</summary>
    public ReadOutcome OutcomeOf(int index) => _outcomes[index];

    /// <summary>Says what was read of one key.</summary>
    public void SetOutcome(int index, in ReadOutcome outcome) => _outcomes[index] = outcome;

    /// <summary>Adds a key.</summary>
    public void Add(KeyRead read)
    {
        _reads.Add(read);
        _outcomes.Add(default);
    }

    /// <summary>Gives every key whose outcome is still unknown the one that the proxy's exception stands for.</summary>
    public void Fail(Exception error)
    {
        // Objects that did not fit into memory together are read one by one.
        if (error is OutOfMemoryException && Count > 1)
            error = new StoreException(StoreErrorKind.LimitExceeded, "The objects do not fit into memory together.", error);
        var outcome = ReadOutcome.Of(error);
        for (var i = 0; i < Count; i++)
        {
            if (_outcomes[i] is { Kind: ReadOutcomeKind.Unknown, Error: null })
                _outcomes[i] = outcome;
        }
    }
}
