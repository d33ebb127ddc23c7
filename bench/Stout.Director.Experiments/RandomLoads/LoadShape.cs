namespace Stout.Director.Experiments.RandomLoads;

/// <summary>The shape of a drawn load.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Length">The length of the run.</param>
/// <param name="Whole">The factor of all bins at a time in seconds.</param>
internal sealed record LoadShape(string Kind, TimeSpan Length, Func<double, double> Whole)
{
    /// <summary>Further load of single bins at a time, as shares of the whole rate.</summary>
    public Func<double, IEnumerable<(int Bin, double Share)>> Hot { get; init; } = _ => [];

    /// <summary>The standard deviation of the logarithm of a bin's factor.</summary>
    public double BinNoise { get; init; }

    /// <summary>The time in seconds for which a bin's factor holds.</summary>
    public double NoiseSeconds { get; init; } = 20;

    /// <summary>The drawn values, in words.</summary>
    public string Description { get; init; } = "";
}
