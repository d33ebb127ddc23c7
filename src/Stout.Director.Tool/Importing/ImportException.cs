namespace Stout.Director.Tool.Importing;

/// <summary>Telemetry can't be imported. The message begins with the place: a file and its line, or a query.</summary>
/// <param name="place">The file and its line, or the query.</param>
/// <param name="problem">The error, as a sentence.</param>
/// <param name="inner">The cause, where there is one.</param>
internal sealed class ImportException(string place, string problem, Exception? inner = null) : DirectorException($"{place}: {problem}", inner)
{
    /// <summary>The file and its line, or the query.</summary>
    public string Place => place;
}
