namespace Stout.Documents;

/// <summary>The parts of one object, as a changing function sees and changes them. Works only until the function returns.</summary>
/// <typeparam name="T">The type of the parts.</typeparam>
public abstract class DocumentEditor<T> : DocumentView<T>
    where T : class
{
    private protected DocumentEditor()
    {
    }

    /// <summary>Sets a part's value, as it is at this moment. The same bytes as before are not written.</summary>
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
