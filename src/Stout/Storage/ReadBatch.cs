namespace Stout.Storage;

/// <summary>One key to read.</summary>
/// <param name="Key">The key.</param>
/// <param name="Claim">The stamp that the key gets if the store holds one of a smaller epoch.</param>
public readonly record struct KeyRead(PartitionKey Key, Stamp Claim);

/// <summary>A part as the store holds it.</summary>
/// <param name="SubKey">The part; empty for the object itself.</param>
/// <param name="Value">Its bytes.</param>
public readonly record struct StoredPart(SubKey SubKey, ReadOnlyMemory<byte> Value);

/// <summary>What became of one key of a read batch.</summary>
public enum ReadOutcomeKind
{
    /// <summary>No answer. It is tried again.</summary>
    Unknown,

    /// <summary>Read: the key exists, or it does not.</summary>
    Read,

    /// <summary>The store holds a stamp of a larger epoch.</summary>
    Fenced,

    /// <summary>The store is overloaded. It is tried again, after the store's retry-after where there is one.</summary>
    Overloaded,

    /// <summary>The store could not be reached. It is tried again.</summary>
    Unreachable,

    /// <summary>Not possible, and would not be if tried again.</summary>
    Refused,

    /// <summary>
    /// Something holds this key alone, such as a lock that its claim needs. The lane reads the key again after a growing delay of its own,
    /// or after the store's retry-after, for <see cref="StoutOptions.GiveUpAfter"/>. Other keys and the pacing are not affected.
    /// </summary>
    Busy,

    /// <summary>
    /// The request exceeded a limit of the store on the time or the size of one request. The lane reads the keys again. A key that was
    /// alone in its request is treated as <see cref="Busy"/>.
    /// </summary>
    LimitExceeded,
}

/// <summary>What was read of one key.</summary>
public readonly record struct ReadOutcome
{
    /// <summary>What became of the read.</summary>
    public ReadOutcomeKind Kind { get; private init; }

    /// <summary>The key's stamp: the stored one (of a deleted key too), or <see cref="Stamp.Absent"/>.</summary>
    public Stamp Stamp { get; private init; }

    /// <summary>What the proxy wants back with the next write's <see cref="KeyWrite.Expected"/>, or null.</summary>
    public object? Token { get; private init; }

    /// <summary>Whether the key exists: it was written and not deleted since.</summary>
    public bool Exists { get; private init; }

    /// <summary>The parts of a key that exists. The bytes stay valid for ever: they are the reader's own.</summary>
    public IReadOnlyList<StoredPart> Parts { get => field ?? []; private init; }

    /// <summary>Why it could not be read, or null.</summary>
    public Exception? Error { get; private init; }

    /// <summary>For overload and busy keys: how long the store asked to be left alone, or null.</summary>
    public TimeSpan? RetryAfter { get; private init; }

    /// <summary>The key exists.</summary>
    public static ReadOutcome Found(Stamp stamp, IReadOnlyList<StoredPart> parts, object? token = null) =>
        new() { Kind = ReadOutcomeKind.Read, Exists = true, Stamp = stamp, Parts = parts, Token = token };

    /// <summary>The key does not exist: never written (<see cref="Stamp.Absent"/>), or deleted (the header's stamp).</summary>
    public static ReadOutcome NotFound(Stamp stamp, object? token = null) =>
        new() { Kind = ReadOutcomeKind.Read, Stamp = stamp, Token = token };

    /// <summary>The store holds a stamp of a larger epoch than the reader's.</summary>
    public static ReadOutcome Fenced { get; } = new() { Kind = ReadOutcomeKind.Fenced };

    /// <summary>The outcome that an exception of the proxy stands for.</summary>
    public static ReadOutcome Of(Exception error)
    {
        var store = error as StoreException;
        return new ReadOutcome
        {
            Kind = store?.Kind switch
            {
                null or StoreErrorKind.Unknown => ReadOutcomeKind.Unknown,
                StoreErrorKind.Unreachable => ReadOutcomeKind.Unreachable,
                StoreErrorKind.Overloaded => ReadOutcomeKind.Overloaded,
                StoreErrorKind.Busy => ReadOutcomeKind.Busy,
                StoreErrorKind.LimitExceeded => ReadOutcomeKind.LimitExceeded,
                _ => ReadOutcomeKind.Refused,
            },
            Error = error,
            RetryAfter = store?.RetryAfter,
        };
    }
}

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
        var outcome = ReadOutcome.Of(error);
        for (var i = 0; i < Count; i++)
        {
            if (_outcomes[i] is { Kind: ReadOutcomeKind.Unknown, Error: null })
                _outcomes[i] = outcome;
        }
    }
}
