namespace Stout.Director.Simulation.Workloads;

/// <summary>A load file can't be read: a line has another form, or minutes are missing.</summary>
/// <param name="message">The line and its error.</param>
/// <param name="inner">The cause, where there is one.</param>
public sealed class LoadFileException(string message, Exception? inner = null) : DirectorException(message, inner);
