namespace Stout.Experiments;

/// <summary>An experiment can't be done, and its message says why.</summary>
internal sealed class ExperimentException : Exception
{
    public ExperimentException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
