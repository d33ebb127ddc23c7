namespace Stout.Director.Models;

/// <summary>The loads that a model was trained on. A prediction outside is an extrapolation.</summary>
/// <param name="MostGets">The highest rate of visits by reads, per second.</param>
/// <param name="MostPuts">The highest rate of visits by writes, per second.</param>
public readonly record struct LoadRange(double MostGets, double MostPuts)
{
    /// <summary>Whether a load lies within the trained range.</summary>
    /// <param name="gets">Visits by reads per second.</param>
    /// <param name="puts">Visits by writes per second.</param>
    /// <returns>Whether it does.</returns>
    public bool Covers(double gets, double puts) => gets <= MostGets && puts <= MostPuts;
}
