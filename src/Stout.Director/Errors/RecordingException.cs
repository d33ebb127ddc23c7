namespace Stout.Director;

/// <summary>A recording is truncated, of another version, or not a recording.</summary>
/// <param name="message">The error, and the allowed range or the remedy.</param>
/// <param name="inner">The cause, where there is one.</param>
public sealed class RecordingException(string message, Exception? inner = null) : DirectorException(message, inner);
