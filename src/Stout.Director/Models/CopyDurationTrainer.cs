using MathNet.Numerics.LinearAlgebra;

namespace Stout.Director.Models;

/// <summary>
/// Fits the copy-rate factor by least squares with a slight ridge term, so that a feature which never varied gets no weight (the paper's §5.4).
/// </summary>
internal static class CopyDurationTrainer
{
    private const double Ridge = 1e-6;

    /// <summary>Trains a model.</summary>
    /// <param name="samples">Benchmarked copies at several rates and loads.</param>
    /// <returns>The model with its fit.</returns>
    /// <exception cref="ModelException">There are fewer than 7 samples, or one has a rate or factor that is not finite and above 0.</exception>
    public static CopyDurationModel Train(IReadOnlyList<CopySample> samples)
    {
        if (samples.Count < 7 || samples.Any(sample => !(sample.SpecifiedRate > 0 && sample.Factor > 0 && sample.Gets >= 0 && sample.Puts >= 0) || !double.IsFinite(sample.SpecifiedRate + sample.Factor + sample.Gets + sample.Puts)))
            throw new ModelException("A copy-duration model needs at least 7 copies, each with a finite rate above 0 and finite visits of at least 0.");
        double[] scales = [samples.Max(sample => sample.SpecifiedRate), Math.Max(samples.Max(sample => sample.Gets), 1), Math.Max(samples.Max(sample => sample.Puts), 1)];
        var x = Matrix<double>.Build.DenseOfRowArrays(samples.Select(sample => Features(sample.SpecifiedRate / scales[0], sample.Gets / scales[1], sample.Puts / scales[2])));
        var y = Vector<double>.Build.Dense([.. samples.Select(sample => sample.Factor)]);
        var normal = x.TransposeThisAndMultiply(x) + Matrix<double>.Build.DenseIdentity(x.ColumnCount) * Ridge * samples.Count;
        var model = new CopyDurationModel { Coefficients = [.. normal.Cholesky().Solve(x.TransposeThisAndMultiply(y))], Scales = scales, Samples = samples.Count };
        return model with { Accuracy = (double)samples.Count(sample => IsMet(model, sample)) / samples.Count };
    }

    /// <summary>Whether a model predicts a copy's duration within 20 %.</summary>
    /// <param name="model">The model.</param>
    /// <param name="sample">The copy.</param>
    /// <returns>Whether it does.</returns>
    public static bool IsMet(CopyDurationModel model, CopySample sample) =>
        Math.Abs(sample.Factor / model.Factor(sample.SpecifiedRate, sample.Gets, sample.Puts) - 1) <= 0.2;

    internal static double[] Features(double rate, double gets, double puts) => [1, rate, gets, puts, rate * rate, gets * gets, puts * puts];
}
