namespace Stout.Director;

/// <summary>An objective can't be read, or its percentile, threshold or interval is out of range.</summary>
/// <param name="message">The error, and the allowed range or the remedy.</param>
/// <param name="inner">The cause, where there is one.</param>
public sealed class InvalidObjectiveException(string message, Exception? inner = null) : DirectorException(message, inner);
