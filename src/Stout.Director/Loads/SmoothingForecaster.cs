namespace Stout.Director.Loads;

/// <summary>The paper's smoothing (§5.5): a higher measurement counts with one weight, a lower one with another. Growth is not extrapolated.</summary>
internal sealed class SmoothingForecaster(DirectorSettings settings) : LoadForecaster
{
    private readonly OperationRates[] _smoothed = new OperationRates[settings.Bins];
    private readonly bool[] _isKnown = new bool[settings.Bins];

    public override LoadForecast Update(TimeSpan now, OperationRates[] raw, Predicate<int> isMeasured)
    {
        for (var bin = 0; bin < raw.Length; bin++)
        {
            _smoothed[bin] = _isKnown[bin] ? new OperationRates(Smooth(_smoothed[bin].Gets, raw[bin].Gets), Smooth(_smoothed[bin].Puts, raw[bin].Puts)) : raw[bin];
            _isKnown[bin] |= isMeasured(bin);
        }

        return new LoadForecast([.. _smoothed]);
    }

    private double Smooth(double smoothed, double raw) => smoothed + (raw > smoothed ? settings.Policy.AlphaUp : settings.Policy.AlphaDown) * (raw - smoothed);
}
