namespace Stout.Storage;

/// <summary>
/// The keys of one write request: each key once, in no particular order, within the proxy's <see cref="StorageLimits"/>. A proxy sets the outcome of
/// each key before its call ends.
/// </summary>
public sealed class WriteBatch
{
    private readonly List<KeyWrite> _writes = [];
    private readonly List<int> _firstParts = [];
    private readonly List<PartWrite> _parts = [];
    private readonly List<WriteOutcome> _outcomes = [];

    /// <summary>The number of keys.</summary>
    public int Count => _writes.Count;

    /// <summary>The number of parts of all keys together.</summary>
    public int PartCount => _parts.Count;

    /// <summary>The bytes of all values together.</summary>
    public long Bytes { get; private set; }

    /// <summary>The write of one key.</summary>
    /// <param name="index">0 to <see cref="Count"/> − 1.</param>
    public KeyWrite this[int index] => _writes[index];

    /// <summary>The parts that one key's write names. Valid until the batch changes.</summary>
    /// <param name="index">0 to <see cref="Count"/> − 1.</param>
    public ReadOnlySpan<PartWrite> PartsOf(int index)
    {
        var first = _firstParts[index];
        var end = index + 1 < Count ? _firstParts[index + 1] : _parts.Count;
        return System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_parts)[first..end];
    }

    /// <summary>The outcome of one key; unknown until it is set.</summary>
    public WriteOutcome OutcomeOf(int index) => _outcomes[index];

    /// <summary>Sets the outcome of one key.</summary>
    public void SetOutcome(int index, WriteOutcome outcome) => _outcomes[index] = outcome;

    /// <summary>Adds the write of a key, with its parts.</summary>
    public void Add(in KeyWrite write, ReadOnlySpan<PartWrite> parts)
    {
        _writes.Add(write);
        _outcomes.Add(default);
        _firstParts.Add(_parts.Count);
        _parts.AddRange(parts);
        foreach (ref readonly var part in parts)
            Bytes += part.Value.Length;
    }

    /// <summary>Clears the batch for reuse.</summary>
    public void Clear()
    {
        _writes.Clear();
        _firstParts.Clear();
        _parts.Clear();
        _outcomes.Clear();
        Bytes = 0;
    }

    /// <summary>Sets the outcome of every undecided key from the proxy's exception.</summary>
    public void Fail(Exception error)
    {
        var outcome = WriteOutcome.Of(error);
        for (var i = 0; i < Count; i++)
        {
            if (_outcomes[i] is { Kind: WriteOutcomeKind.Unknown, Error: null })
                _outcomes[i] = outcome;
        }
    }
}
