namespace Stout.Storage;

/// <summary>The keys of one read request. A proxy sets the outcome of each key before its call ends.</summary>
public sealed class ReadBatch
{
    private readonly List<KeyRead> _reads = [];
    private readonly List<ReadOutcome> _outcomes = [];
    private int _progress;

    /// <summary>The number of keys.</summary>
    public int Count => _reads.Count;

    /// <summary>
    /// Reports the end of one step of a read, such as a page of a large object. The lane restarts <see cref="StoutOptions.RequestTimeout"/>, so
    /// objects of any size can be read.
    /// </summary>
    public void ReportProgress() => Volatile.Write(ref _progress, 1);

    /// <returns>Whether progress was reported since the last call.</returns>
    internal bool TakeProgress() => Interlocked.Exchange(ref _progress, 0) != 0;

    /// <summary>The key to read at an index.</summary>
    /// <param name="index">0 to <see cref="Count"/> − 1.</param>
    public KeyRead this[int index] => _reads[index];

    /// <summary>The outcome of one key; unknown until it is set.</summary>
    public ReadOutcome OutcomeOf(int index) => _outcomes[index];

    /// <summary>Sets the outcome of one key.</summary>
    public void SetOutcome(int index, in ReadOutcome outcome) => _outcomes[index] = outcome;

    /// <summary>Adds a key.</summary>
    public void Add(KeyRead read)
    {
        _reads.Add(read);
        _outcomes.Add(default);
    }

    /// <summary>Sets the outcome of every undecided key from the proxy's exception.</summary>
    public void Fail(Exception error)
    {
        // Objects that did not fit into memory together are read again in smaller requests.
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
