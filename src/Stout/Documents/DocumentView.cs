namespace Stout.Documents;

/// <summary>The parts of one object, for a reading function. Valid until the function returns.</summary>
/// <typeparam name="T">The type of the parts.</typeparam>
public abstract class DocumentView<T>
    where T : class
{
    private protected DocumentView()
    {
    }

    /// <summary>Whether the object exists, which means that it has a part. Removing the last part deletes the object.</summary>
    /// <exception cref="InvalidOperationException">The function has returned.</exception>
    public abstract bool Exists { get; }

    /// <summary>
    /// The names of the parts, in ordinal order; the object's own value has the empty name. The list is a snapshot, and may be kept.
    /// </summary>
    /// <exception cref="InvalidOperationException">The function has returned.</exception>
    public IReadOnlyList<string> Names => NamesNow;

    /// <summary>A part's value, or null. If values are mutable, each read returns a new copy.</summary>
    /// <exception cref="PartSerializationException">The part's bytes could not be deserialized.</exception>
    /// <exception cref="InvalidOperationException">The function has returned.</exception>
    public abstract T? this[string name] { get; }

    private protected abstract PartNames NamesNow { get; }

    /// <summary>The names that begin with a prefix (compared ordinally), in ordinal order. Costs O(log n).</summary>
    /// <exception cref="InvalidOperationException">The function has returned.</exception>
    public IReadOnlyList<string> NamesWithPrefix(string prefix)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        return NamesNow.WithPrefix(prefix);
    }

    /// <summary>The size of a part's bytes, or null for an absent part.</summary>
    /// <exception cref="InvalidOperationException">The function has returned.</exception>
    public abstract int? SizeOf(string name);
}
