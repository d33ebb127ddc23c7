namespace Stout.Director.Loads;

/// <summary>Estimates the next period's load from the measured ones.</summary>
internal abstract class LoadForecaster
{
    /// <summary>Takes in one period's measurement.</summary>
    /// <param name="now">The Director's time at the end of the period.</param>
    /// <param name="raw">The measured rates; a bin that no report covers has its last known rates.</param>
    /// <param name="isMeasured">Whether a bin has been measured at all. The first measurement of a bin is no rise.</param>
    public abstract LoadForecast Update(TimeSpan now, OperationRates[] raw, Predicate<int> isMeasured);

    public static LoadForecaster Create(DirectorSettings settings) =>
        settings.Policy.Forecast == ForecastKind.Smoothing ? new SmoothingForecaster(settings) : new TrendForecaster(settings);
}
