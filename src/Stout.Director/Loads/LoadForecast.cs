namespace Stout.Director.Loads;

/// <summary>The estimated load that the next plan's layout has to serve.</summary>
/// <param name="Next">The clients' request rates of every bin until the next plan has taken effect, without overprovisioning.</param>
internal readonly record struct LoadForecast(OperationRates[] Next)
{
    /// <summary>The bins whose surges began in this period.</summary>
    public IReadOnlyList<Surge> Surges { get; init; } = [];
}

/// <summary>The beginning of a bin's surge.</summary>
/// <param name="Bin">The bin.</param>
/// <param name="Measured">The bin's requests per second.</param>
/// <param name="Expected">The bin's requests per second if the bin had followed the growth of the other bins.</param>
internal readonly record struct Surge(int Bin, double Measured, double Expected);
