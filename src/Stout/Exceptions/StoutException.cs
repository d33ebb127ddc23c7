namespace Stout;

/// <summary>The base class of Stout's exceptions. Messages never contain a key or a value; the key is a property.</summary>
public abstract class StoutException : Exception
{
    private protected StoutException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }
}
