namespace Stout.Experiments;

/// <summary>How much work goes into an experiment.</summary>
internal enum Effort
{
    /// <summary>Enough work for the figures of a page.</summary>
    Full,

    /// <summary>A few seconds, for a check that nothing has broken.</summary>
    Brief,
}
