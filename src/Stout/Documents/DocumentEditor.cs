namespace Stout.Documents;

/// <summary>The parts of one object, for a changing function. Valid until the function returns.</summary>
/// <typeparam name="T">The type of the parts.</typeparam>
public abstract class DocumentEditor<T> : DocumentView<T>
    where T : class
{
    private protected DocumentEditor()
    {
    }

    /// <summary>
    /// Sets a part to the value's present state. A value with the same bytes as before is not written, unless it is an own value that expires.
    /// </summary>
    /// <exception cref="InvalidKeyException">The name can't be a sub-key.</exception>
    /// <exception cref="PartSerializationException">The value could not be serialized.</exception>
    /// <exception cref="ChangeTooLargeException">The value exceeds the store's limit.</exception>
    /// <exception cref="InvalidOperationException">The function has returned.</exception>
    public abstract void Set(string name, T value);

    /// <summary>Removes a part.</summary>
    /// <returns>Whether the part existed.</returns>
    /// <exception cref="InvalidOperationException">The function has returned.</exception>
    public abstract bool Remove(string name);

    /// <summary>Deletes the object with all its parts, at the cost of one small write. Parts set afterwards form a new object.</summary>
    /// <exception cref="InvalidOperationException">The function has returned.</exception>
    public abstract void Delete();
}
