namespace Stout.Director;

/// <summary>A model, its file or its training data can't be used. For example, a file has another version, server type or objective than requested.</summary>
/// <param name="message">The error, and the allowed range or the remedy.</param>
/// <param name="inner">The cause, where there is one.</param>
public sealed class ModelException(string message, Exception? inner = null) : DirectorException(message, inner);
