namespace Stout.Argon.Exceptions;

/// <summary>The root of all errors of the engine.</summary>
/// <param name="message">The error, and its remedy.</param>
/// <param name="inner">The cause.</param>
public abstract class ArgonException(string message, Exception? inner = null) : Exception(message, inner);
