namespace Stout.Documents;

/// <summary>The parts of one object, as a reading function sees them. Not to be kept after the function returns.</summary>
public abstract class DocumentView<T>
    where T : class
{
    private protected DocumentView()
    {
    }

    /// <summary>Whether the object exists: it has been written, and not deleted since.</summary>
    public abstract bool Exists { get; }

    /// <summary>The names of the parts, in ordinal order; the object's own value has the empty name.</summary>
    public abstract IReadOnlyList<string> Names { get; }

    /// <summary>A part's value, or null.</summary>
    public abstract T? this[string name] { get; }

    /// <summary>The size of a part's stored bytes, or null if there is no such part.</summary>
    public abstract int? SizeOf(string name);
}

/// <summary>The parts of one object, as a changing function sees and changes them. Not to be kept after the function returns.</summary>
public abstract class DocumentEditor<T> : DocumentView<T>
    where T : class
{
    private protected DocumentEditor()
    {
    }

    /// <summary>Sets a part's value.</summary>
    public abstract void Set(string name, T value);

    /// <summary>Removes a part.</summary>
    /// <returns>Whether there was one.</returns>
    public abstract bool Remove(string name);

    /// <summary>Deletes the object with all its parts.</summary>
    public abstract void Delete();
}
