namespace Stout;

/// <summary>The root of all errors that Stout raises. Messages never contain a key or a value: keys are properties.</summary>
public abstract class StoutException : Exception
{
    private protected StoutException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }
}
