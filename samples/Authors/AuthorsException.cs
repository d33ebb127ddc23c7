namespace Authors;

/// <summary>An error that the user of the command line can mend. The program shows its message only.</summary>
internal sealed class AuthorsException(string message, Exception? innerException = null) : Exception(message, innerException);
