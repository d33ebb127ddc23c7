using System.Runtime.ExceptionServices;

namespace Stout.Documents;

/// <summary>
/// The answer of a function that has seen an object: its result, or the exception that it threw. Both may tell what the function saw,
/// so both are held until that is durable.
/// </summary>
internal readonly struct Reply<T>
{
    private readonly T _result;
    private readonly ExceptionDispatchInfo? _thrown;

    public Reply(T result) => _result = result;

    public Reply(Exception thrown)
    {
        _result = default!;
        _thrown = ExceptionDispatchInfo.Capture(thrown);
    }

    /// <summary>Returns the result or throws the exception, with the stack trace of the function.</summary>
    public T Leave()
    {
        _thrown?.Throw();
        return _result;
    }
}
