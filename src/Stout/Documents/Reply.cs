using System.Runtime.ExceptionServices;

namespace Stout.Documents;

/// <summary>
/// The result or exception of a function that has seen an object. Both may reveal the function's input, so both are held back until the input is durable.
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

    /// <summary>Returns the result, or throws the exception with the function's stack trace.</summary>
    public T Leave()
    {
        _thrown?.Throw();
        return _result;
    }
}
