namespace Stout.Documents;

/// <summary>The parts of one object, as a reading function sees them. Works only until the function returns.</summary>
/// <typeparam name="T">The type of the parts.</typeparam>
public abstract class DocumentView<T>
    where T : class
{
    private protected DocumentView()
    {
    }

    /// <summary>Whether the object exists: it has a part. (Removing the last part deletes the object.)</summary>
    public abstract bool Exists { get; }

    /// <summary>
    /// The names of the parts, in ordinal order; the object's own value has the empty name. The list is of this moment: later changes
    /// don't show in it, and it may be kept.
    /// </summary>
    public IReadOnlyList<string> Names => NamesNow;

    /// <summary>A part's value, or null. Where values are mutable, each read makes one of the caller's own.</summary>
    /// <exception cref="PartSerializationException">The part's bytes could not be made into a value.</exception>
    public abstract T? this[string name] { get; }

    private protected abstract PartNames NamesNow { get; }

    /// <summary>The names that begin with a prefix (compared ordinally), in ordinal order. Costs O(log n).</summary>
    public IReadOnlyList<string> NamesWithPrefix(string prefix)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        return NamesNow.WithPrefix(prefix);
    }

    /// <summary>The size of a part's bytes, or null if there is no such part.</summary>
    public abstract int? SizeOf(string name);
}

/// <summary>The parts of one object, as a changing function sees and changes them. Works only until the function returns.</summary>
/// <typeparam name="T">The type of the parts.</typeparam>
public abstract class DocumentEditor<T> : DocumentView<T>
    where T : class
{
    private protected DocumentEditor()
    {
    }

    /// <summary>Sets a part's value, as it is at this moment.</summary>
    /// <exception cref="InvalidKeyException">The name can't be a sub-key.</exception>
    /// <exception cref="PartSerializationException">The value could not be made into bytes.</exception>
    /// <exception cref="ChangeTooLargeException">The value is larger than the store takes.</exception>
    public abstract void Set(string name, T value);

    /// <summary>Removes a part.</summary>
    /// <returns>Whether there was one.</returns>
    public abstract bool Remove(string name);

    /// <summary>Deletes the object with all its parts: one small write, whatever its size. Parts set afterwards begin a new one.</summary>
    public abstract void Delete();
}
