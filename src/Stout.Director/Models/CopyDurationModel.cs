namespace Stout.Director.Models;

/// <summary>
/// Predicts the duration of a copy (the paper's §5.4). The copy-rate factor is the observed rate divided by the specified one. It has linear and quadratic
/// terms in the specified rate, the get rate and the put rate.
/// </summary>
public sealed record CopyDurationModel
{
    // The least predicted factor. Smaller predictions are artifacts of the quadratic terms: a copy is not 20 times slower than specified.
    private const double LeastFactor = 0.05;

    /// <summary>
    /// Seven coefficients: for the constant 1, for rate, gets and puts, and for the squares of these three. The three are first divided by
    /// <see cref="Scales"/>.
    /// </summary>
    public required IReadOnlyList<double> Coefficients { get; init; }

    /// <summary>The three values by which rate, gets and puts are divided.</summary>
    public required IReadOnlyList<double> Scales { get; init; }

    /// <summary>The number of samples that the model was trained on.</summary>
    public int Samples { get; init; }

    /// <summary>The share of the training samples whose duration the model predicts within 20 %, from 0 to 1.</summary>
    public double Accuracy { get; init; }

    /// <summary>The observed rate divided by the specified one.</summary>
    /// <param name="specifiedRate">The rate asked for, in bytes per second. Above 0.</param>
    /// <param name="gets">Visits by reads per second, both servers together.</param>
    /// <param name="puts">Visits by writes per second, both servers together.</param>
    /// <returns>The factor, at least 0.05.</returns>
    public double Factor(double specifiedRate, double gets, double puts)
    {
        var features = CopyDurationTrainer.Features(specifiedRate / Scales[0], gets / Scales[1], puts / Scales[2]);
        var factor = 0.0;
        for (var i = 0; i < features.Length; i++)
            factor += features[i] * Coefficients[i];
        return Math.Max(factor, LeastFactor);
    }

    /// <summary>The predicted duration of a copy.</summary>
    /// <param name="bytes">The bytes to copy.</param>
    /// <param name="specifiedRate">The rate asked for, in bytes per second. Above 0.</param>
    /// <param name="gets">Visits by reads per second, both servers together.</param>
    /// <param name="puts">Visits by writes per second, both servers together.</param>
    /// <returns>The duration.</returns>
    public TimeSpan Duration(long bytes, double specifiedRate, double gets, double puts) =>
        TimeSpan.FromSeconds(bytes / (specifiedRate * Factor(specifiedRate, gets, puts)));
}
