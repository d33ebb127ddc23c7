namespace Stout.Argon.Exceptions;

/// <summary>The root of all errors of the engine.</summary>
/// <param name="message">What happened, and what the caller can do.</param>
/// <param name="inner">The cause.</param>
public abstract class ArgonException(string message, Exception? inner = null) : Exception(message, inner);
