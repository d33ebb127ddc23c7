namespace Stout.Documents;

/// <summary>A collection of objects. An object is a set of parts, each of type T; most have just one, the empty sub-key.</summary>
/// <typeparam name="T">The type of the parts.</typeparam>
public sealed class DocumentCollection<T>
    where T : class
{
    internal DocumentCollection()
    {
    }

    /// <summary>The object's own value, durable; null if there is none.</summary>
    public ValueTask<T?> GetAsync(string id, CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>Changes the object's own value by a function, which gets null where there is none; null as the result deletes the object. Returns when the result is durable.</summary>
    public ValueTask<T?> UpdateAsync(string id, Func<T?, T?> change, CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>Reads the object's parts by a function. Returns when all that it may have seen is durable.</summary>
    public ValueTask<TResult> ReadAsync<TResult>(string id, Func<DocumentView<T>, TResult> read, CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>Changes the object's parts by a function. Returns when the result is durable. If the function throws, nothing has changed.</summary>
    public ValueTask<TResult> ChangeAsync<TResult>(string id, Func<DocumentEditor<T>, TResult> change, CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>Deletes the object with all its parts. Returns when that is durable.</summary>
    /// <returns>Whether there was one.</returns>
    public ValueTask<bool> DeleteAsync(string id, CancellationToken cancellationToken = default) => throw new InvalidOperationException();
}
