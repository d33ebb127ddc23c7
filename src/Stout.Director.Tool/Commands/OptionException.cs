namespace Stout.Director.Tool.Commands;

/// <summary>An option has a value that can't be used.</summary>
internal sealed class OptionException(string message, Exception? inner = null) : DirectorException(message, inner);
