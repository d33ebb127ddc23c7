namespace Stout.Director.Loads;

/// <summary>The paper's smoothing (§5.5): a higher measurement counts with one weight, a lower one with another. Growth is not extrapolated.</summary>
internal sealed class SmoothingForecaster(DirectorPolicy policy) : LoadForecaster
{
    private OperationRates[]? _smoothed;

    public override LoadForecast Update(TimeSpan now, OperationRates[] raw)
    {
        _smoothed ??= [.. raw];
        for (var bin = 0; bin < raw.Length; bin++)
            _smoothed[bin] = new OperationRates(Smooth(_smoothed[bin].Gets, raw[bin].Gets), Smooth(_smoothed[bin].Puts, raw[bin].Puts));
        return new LoadForecast([.. _smoothed], 1);
    }

    private double Smooth(double smoothed, double raw) => smoothed + (raw > smoothed ? policy.AlphaUp : policy.AlphaDown) * (raw - smoothed);
}
