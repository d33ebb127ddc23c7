namespace Stout.Documents;

/// <summary>A request's id has no usable time: it is no UUID of version 7, or its time lies in the future. Nothing was changed; correct the client.</summary>
public sealed class InvalidRequestIdException : StoutException
{
    /// <summary>Creates the exception. Its message does not contain the id.</summary>
    /// <param name="message">The violated rule.</param>
    public InvalidRequestIdException(string message)
        : base(message)
    {
    }
}
