namespace Stout.Experiments;

/// <summary>The error of an experiment that can't be run. The message gives the reason.</summary>
internal sealed class ExperimentException : Exception
{
    public ExperimentException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
