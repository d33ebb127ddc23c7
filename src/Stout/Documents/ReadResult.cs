using System.Runtime.ExceptionServices;

namespace Stout.Documents;

/// <summary>The result of reading one of several objects: its value, its absence, or an error.</summary>
/// <typeparam name="T">The type of the collection's values.</typeparam>
public sealed class ReadResult<T>
    where T : class
{
    private readonly T? _value;

    internal ReadResult(string id, T? value, Exception? error)
    {
        Id = id;
        _value = value;
        Error = error;
    }

    /// <summary>The object's id.</summary>
    public string Id { get; }

    /// <summary>The object's own value; null if it is absent.</summary>
    /// <exception cref="Exception">The object could not be read: the exception is <see cref="Error"/>. So a failed read never looks like an absent value.</exception>
    public T? Value
    {
        get
        {
            if (Error is not null)
                ExceptionDispatchInfo.Throw(Error);
            return _value;
        }
    }

    /// <summary>The error of the read, as <see cref="DocumentCollection{T}.GetAsync(string, CancellationToken)"/> throws it; null if the object was read.</summary>
    public Exception? Error { get; }
}
