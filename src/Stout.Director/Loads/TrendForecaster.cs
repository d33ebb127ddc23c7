namespace Stout.Director.Loads;

/// <summary>
/// Estimates each bin's load as its own level times the growth common to all bins. Common growth comes from Holt's double exponential smoothing of the
/// sum, in which the bins' noise averages out. A bin's own level moves slowly, unless the bin surges. Then the level rises to each measurement at once, and
/// a rise that has lasted for two periods is extrapolated.
/// </summary>
internal sealed class TrendForecaster(DirectorSettings settings) : LoadForecaster
{
    // Holt's weights for level and trend of the common growth.
    private const double LevelWeight = 0.5;
    private const double TrendWeight = 0.3;

    // A bin surges after one rise of 7 standard deviations, or two in a row of 4. Log-normal noise of 10 % rises by 5 deviations about once a day
    // among some large bins, by 7 once in some years. The limits are that high because each false surge moves bins.
    private const double SureRise = 7;
    private const double LikelyRise = 4;

    // A surge ends after two periods in a row whose rise is within one standard deviation. A steady rise becomes small relative to the level that it has
    // reached. So with the limits that mark the beginning of a surge, the surge would end while the load still rises.
    private const double CalmRise = 1;
    private const int CalmPeriods = 2;

    // A rise of less than this share of the capacity of a server of `Types[0]` is no surge, since it endangers no server.
    private const double SignificantShare = 0.03;

    private const double DeviationWeight = 0.05;
    private const double FirstDeviation = 0.1;
    private const double LeastDeviation = 0.02;

    // A mean absolute deviation times this is a standard deviation, for normal noise.
    private const double DeviationFactor = 1.25;

    // The number of periods from the middle of the measured period to the end of the next.
    private const double PeriodsAhead = 1.5;
    private const double MostGrowth = 2;

    private readonly double _significant = SignificantShare / settings.Types[0].SteadyState.CostOfGet / settings.Policy.ReadFanOut;
    private readonly Bin[] _bins = [.. Enumerable.Range(0, settings.Bins).Select(_ => new Bin())];
    private double _trend;

    public override LoadForecast Update(TimeSpan now, OperationRates[] raw, Predicate<int> isMeasured)
    {
        for (var bin = 0; bin < raw.Length; bin++)
        {
            if (!_bins[bin].IsKnown && isMeasured(bin))
                (_bins[bin].IsKnown, _bins[bin].Level, _bins[bin].Previous) = (true, raw[bin], raw[bin].Total);
        }

        var common = CommonGrowth(raw);
        // Computes the common growth again, since bins whose surges begin now must not count in it.
        var surges = BeginSurges(raw, common.Expected);
        if (surges.Count > 0)
            common = CommonGrowth(raw);
        _trend = common.Trend;
        var ahead = Math.Clamp(1 + PeriodsAhead * _trend, 1, MostGrowth);
        var next = new OperationRates[raw.Length];
        for (var bin = 0; bin < raw.Length; bin++)
            next[bin] = Update(_bins[bin], raw[bin], common, ahead);
        return new LoadForecast(next) { Surges = surges };
    }

    /// <summary>The common growth of one period.</summary>
    /// <param name="Level">The factor by which the smoothed common level grows in this period.</param>
    /// <param name="Expected">The factor by which a bin rises that follows the common growth exactly.</param>
    /// <param name="Trend">The smoothed growth per period, as a share of the level.</param>
    private readonly record struct Growth(double Level, double Expected, double Trend);

    // Holt's method on the sum of the bins that do not surge.
    private Growth CommonGrowth(OperationRates[] raw)
    {
        double measured = 0, level = 0;
        for (var bin = 0; bin < raw.Length; bin++)
        {
            if (_bins[bin].IsSurging)
                continue;
            measured += raw[bin].Total;
            level += _bins[bin].Level.Total;
        }

        var error = level > 0 ? Math.Clamp(measured / (level * (1 + _trend)) - 1, -0.5, 1) : 0;
        return new Growth((1 + _trend) * (1 + LevelWeight * error), (1 + _trend) * (1 + error), Math.Clamp(_trend + TrendWeight * LevelWeight * error, -0.2, 0.2));
    }

    private List<Surge> BeginSurges(OperationRates[] raw, double expected)
    {
        var surges = new List<Surge>();
        for (var i = 0; i < raw.Length; i++)
        {
            var bin = _bins[i];
            if (bin.IsSurging)
                continue;
            var own = raw[i].Total - bin.Level.Total * expected;
            var rise = own > _significant ? own / Math.Max(bin.Level.Total * expected * bin.Deviation, double.Epsilon) : 0;
            bin.Rises = rise > LikelyRise ? bin.Rises + 1 : 0;
            if (rise <= SureRise && bin.Rises < 2)
                continue;
            (bin.IsSurging, bin.Calm, bin.Rises) = (true, 0, 0);
            surges.Add(new Surge(i, raw[i].Total, bin.Level.Total * expected));
        }

        return surges;
    }

    private OperationRates Update(Bin bin, OperationRates raw, Growth common, double ahead)
    {
        var rise = raw.Total - bin.Previous;
        bin.Previous = raw.Total;
        if (!bin.IsSurging)
        {
            Follow(bin, raw, common);
            return bin.Level * ahead;
        }

        // The level falls as slowly as that of other bins, so that a surge that ends and comes back finds its servers.
        bin.Level = raw.Total >= bin.Level.Total ? raw : bin.Level + (raw + bin.Level * -1) * settings.Policy.AlphaDown;
        var isCalm = rise <= Math.Max(CalmRise * bin.Deviation * (raw.Total - rise), _significant);
        bin.Calm = isCalm ? bin.Calm + 1 : 0;
        bin.Rises = isCalm ? 0 : bin.Rises + 1;
        bin.IsSurging = bin.Calm < CalmPeriods;
        // The rise of a single period may be a step. Two in a row are a slope.
        return bin.Rises < 2 || raw.Total <= 0 ? bin.Level : bin.Level * ((raw.Total + PeriodsAhead * rise) / raw.Total);
    }

    private void Follow(Bin bin, OperationRates raw, Growth common)
    {
        var level = bin.Level.Total;
        var own = raw.Total - level * common.Expected;
        var relative = level > 0 ? Math.Min(Math.Abs(own) / (level * common.Expected), 1) : 0;
        bin.Deviation = Math.Max(bin.Deviation + DeviationWeight * (DeviationFactor * relative - bin.Deviation), LeastDeviation);
        bin.Level = new OperationRates(Follow(bin.Level.Gets, raw.Gets), Follow(bin.Level.Puts, raw.Puts));

        double Follow(double old, double measured) => Math.Max(0, old * common.Level + settings.Policy.AlphaDown * (measured - old * common.Expected));
    }

    private sealed class Bin
    {
        /// <summary>Whether the bin has been measured at all. Before, its load is unknown, and its first measurement is no rise.</summary>
        public bool IsKnown;

        public OperationRates Level;

        /// <summary>The last measurement.</summary>
        public double Previous;

        /// <summary>The standard deviation of the bin's own noise, as a share of its level.</summary>
        public double Deviation = FirstDeviation;

        public bool IsSurging;

        /// <summary>Periods in a row with a significant rise.</summary>
        public int Rises;

        /// <summary>Periods in a row without one, during a surge.</summary>
        public int Calm;
    }
}
