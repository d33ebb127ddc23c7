namespace Stout.Director.Tool.Histories;

/// <summary>A history file can't be read, or lacks a part that a command needs.</summary>
internal sealed class HistoryException(string message, Exception? inner = null) : DirectorException(message, inner);
