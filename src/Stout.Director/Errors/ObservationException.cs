namespace Stout.Director;

/// <summary>A cluster's observation contradicts itself or the Director's settings, for example 0 live servers or another number of bins.</summary>
/// <param name="message">The error, and the allowed range or the remedy.</param>
/// <param name="inner">The cause, where there is one.</param>
public sealed class ObservationException(string message, Exception? inner = null) : DirectorException(message, inner);
