namespace Authors;

/// <summary>Something that the person at the command line can mend; its message is all that is shown.</summary>
internal sealed class AuthorsException(string message, Exception? innerException = null) : Exception(message, innerException);
