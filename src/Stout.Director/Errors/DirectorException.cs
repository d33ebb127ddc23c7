namespace Stout.Director;

/// <summary>The root of all errors that the Director reports.</summary>
/// <param name="message">The error, and the allowed range or the remedy.</param>
/// <param name="inner">The cause, where there is one.</param>
public abstract class DirectorException(string message, Exception? inner = null) : Exception(message, inner);
