namespace Stout.Director.Models;

/// <summary>
/// Fits the boundary by regularized logistic regression (the paper's §5.4). The ridge term keeps the weights finite where a line separates the
/// samples without error.
/// </summary>
internal static class SteadyStateTrainer
{
    /// <summary>Trains a model.</summary>
    /// <param name="samples">Benchmark runs at several mixes, on both sides of the boundary.</param>
    /// <param name="ridge">The weight of the ridge term on standardized features, per sample. Above 0. Default: 1e-6.</param>
    /// <returns>The model with its fit.</returns>
    /// <exception cref="ModelException">The samples are all of one class, a rate is not finite, or the fitted line does not bound the load.</exception>
    public static SteadyStateModel Train(IReadOnlyList<LoadSample> samples, double ridge = 1e-6)
    {
        if (samples.Any(sample => !(sample.Gets >= 0 && sample.Puts >= 0 && double.IsFinite(sample.Gets + sample.Puts))))
            throw new ModelException("A load sample has a rate that is not a finite number of at least 0.");
        var violations = samples.Count(sample => sample.Violated);
        if (violations == 0 || violations == samples.Count)
            throw new ModelException($"All {samples.Count} samples are {(violations == 0 ? "free of violations" : "violations")}: a model needs loads on both sides of the boundary.");

        // Both features are divided by the same scale, so that the ridge term treats a get and a put alike.
        var scale = samples.Max(sample => Math.Max(sample.Gets, sample.Puts));
        if (scale == 0)
            throw new ModelException("All load samples have rates of 0: a model needs loads on both sides of the boundary.");
        var weights = LogisticRegression.Fit(
            [.. samples.Select(sample => new[] { 1, sample.Gets / scale, sample.Puts / scale })],
            [.. samples.Select(sample => sample.Violated ? 1.0 : 0.0)],
            ridge);
        if (!(weights[0] < 0 && weights[1] > 0 && weights[2] >= 0) || !weights.All(double.IsFinite))
            throw new ModelException("The samples show no load that a server can't serve: more load has to mean more violations. Train with a wider range of loads.");

        var model = new SteadyStateModel
        {
            CostOfGet = weights[1] / scale / -weights[0],
            CostOfPut = weights[2] / scale / -weights[0],
            Trained = new LoadRange(samples.Max(sample => sample.Gets), samples.Max(sample => sample.Puts)),
            Samples = samples.Count,
        };
        return model with { Accuracy = (double)samples.Count(sample => model.Utilization(sample.Gets, sample.Puts) > 1 == sample.Violated) / samples.Count };
    }
}
