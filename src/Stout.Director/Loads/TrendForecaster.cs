namespace Stout.Director.Loads;

/// <summary>
/// Estimates each bin's load as its own level times the growth common to all bins. Common growth comes from Holt's double exponential smoothing of the
/// sum, in which the bins' noise averages out. A bin's own level moves slowly, unless the bin surges: then the level is the last measurement, and the
/// bin's rise is extrapolated.
/// </summary>
internal class TrendForecaster(DirectorSettings settings) : LoadForecaster
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
    private const double LeastDeviation = 0.02;

    // A mean absolute deviation times this is a standard deviation, for normal noise.
    private const double DeviationFactor = 1.25;

    // The number of periods from the middle of the measured period to the end of the next.
    private const double PeriodsAhead = 1.5;
    private const double MostGrowth = 2;

    // A surge that is detected in its first period is assumed to rise steadily from the beginning of that period. The measured rise r,
    // a mean over the period, is then half a period's rise. By the end of the next period, after two periods, the rise is 4 r: 3 r more than measured.
    private const double PeriodsAheadAtBegin = 3;

    /// <summary>Policy, types and bins.</summary>
    protected DirectorSettings Settings => settings;

    private readonly double _significant = SignificantShare / settings.Types[0].SteadyState.CostOfGet / settings.Policy.ReadFanOut;
    private OperationRates[] _levels = [];
    private double[] _previous = [];
    private double[] _deviations = [];
    private int[] _rises = [];
    private int[] _calm = [];
    private bool[] _surging = [];
    private bool[] _begun = [];
    private readonly List<Surge> _surges = [];
    private double _trend;

    public override LoadForecast Update(TimeSpan now, OperationRates[] raw)
    {
        if (_levels.Length != raw.Length)
            Begin(raw);
        _surges.Clear();
        var common = CommonGrowth(raw);
        // Computes the common growth again, since bins whose surges begin now must not count in it.
        if (BeginSurges(raw, common.Expected))
            common = CommonGrowth(raw);
        _trend = common.Trend;
        var ahead = Math.Min(Math.Max(1 + PeriodsAhead * _trend, CommonGrowthAhead(now, raw)), MostGrowth);
        var later = Math.Min(Math.Max(1 + (PeriodsAhead + BootPeriods) * _trend, LaterGrowth(now, raw)), MostGrowth);

        var next = new OperationRates[raw.Length];
        double sumNext = 0, sumLater = 0;
        for (var bin = 0; bin < raw.Length; bin++)
        {
            UpdateBin(bin, raw[bin], common);
            var rise = _surging[bin] ? Math.Max(0, raw[bin].Total - _previous[bin]) : 0;
            var factor = _surging[bin] ? 1 : Math.Max(ahead, 1);
            var total = _levels[bin].Total * factor + (_begun[bin] ? PeriodsAheadAtBegin : PeriodsAhead) * rise;
            next[bin] = _levels[bin] * (_levels[bin].Total > 0 ? total / _levels[bin].Total : 1);
            sumNext += total;
            sumLater += _surging[bin] ? total + BootPeriods * rise : total / factor * Math.Max(later, 1);
            _previous[bin] = raw[bin].Total;
            _begun[bin] = false;
        }

        return new LoadForecast(next, sumNext > 0 ? Math.Clamp(sumLater / sumNext, 1, MostGrowth) : 1) { Surges = [.. _surges] };
    }

    /// <summary>
    /// A second estimate of the common growth until the end of the next period, as a factor; 1 without such an estimate. The forecast uses the larger of
    /// this estimate and the trend.
    /// </summary>
    protected virtual double CommonGrowthAhead(TimeSpan now, OperationRates[] raw) => 1;

    /// <summary>
    /// A second estimate of the common growth until a server leased now has booted, as a factor; 1 without such an estimate. The forecast uses the larger of
    /// this estimate and the trend.
    /// </summary>
    protected virtual double LaterGrowth(TimeSpan now, OperationRates[] raw) => 1;

    private double BootPeriods => settings.Policy.BootTime / settings.Policy.Period;

    private void Begin(OperationRates[] raw)
    {
        _levels = [.. raw];
        _previous = [.. raw.Select(rates => rates.Total)];
        _deviations = [.. raw.Select(_ => 0.1)];
        _rises = new int[raw.Length];
        _calm = new int[raw.Length];
        _surging = new bool[raw.Length];
        _begun = new bool[raw.Length];
        _trend = 0;
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
            if (_surging[bin])
                continue;
            measured += raw[bin].Total;
            level += _levels[bin].Total;
        }

        var error = level > 0 ? Math.Clamp(measured / (level * (1 + _trend)) - 1, -0.5, 1) : 0;
        return new Growth((1 + _trend) * (1 + LevelWeight * error), (1 + _trend) * (1 + error), Math.Clamp(_trend + TrendWeight * LevelWeight * error, -0.2, 0.2));
    }

    private bool BeginSurges(OperationRates[] raw, double expected)
    {
        for (var bin = 0; bin < raw.Length; bin++)
        {
            if (_surging[bin])
                continue;
            var own = raw[bin].Total - _levels[bin].Total * expected;
            var deviation = _deviations[bin] * _levels[bin].Total;
            _rises[bin] = own > Math.Max(LikelyRise * deviation, _significant) ? _rises[bin] + 1 : 0;
            if (_rises[bin] < 2 && own <= Math.Max(SureRise * deviation, _significant))
                continue;
            (_surging[bin], _begun[bin], _rises[bin], _calm[bin]) = (true, _rises[bin] < 2, 0, 0);
            _surges.Add(new Surge(bin, raw[bin].Total, _levels[bin].Total * expected));
        }

        return _surges.Count > 0;
    }

    private void UpdateBin(int bin, OperationRates raw, Growth common)
    {
        if (_surging[bin])
        {
            _levels[bin] = raw;
            var isCalm = raw.Total - _previous[bin] <= Math.Max(CalmRise * _deviations[bin] * _previous[bin], _significant);
            _calm[bin] = isCalm ? _calm[bin] + 1 : 0;
            _surging[bin] = _calm[bin] < CalmPeriods;
            return;
        }

        var level = _levels[bin].Total;
        var own = raw.Total - level * common.Expected;
        var relative = level > 0 ? Math.Min(Math.Abs(own) / (level * common.Expected), 1) : 0;
        _deviations[bin] = Math.Max(_deviations[bin] + DeviationWeight * (DeviationFactor * relative - _deviations[bin]), LeastDeviation);
        var weight = settings.Policy.AlphaDown;
        _levels[bin] = new OperationRates(Follow(_levels[bin].Gets, raw.Gets), Follow(_levels[bin].Puts, raw.Puts));

        double Follow(double old, double measured) => Math.Max(0, old * common.Level + weight * (measured - old * common.Expected));
    }
}
