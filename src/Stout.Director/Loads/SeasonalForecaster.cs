namespace Stout.Director.Loads;

/// <summary>
/// Estimates the common growth as the larger of the trend and the whole load's growth at the same time of earlier seasons (usually days).
/// </summary>
internal sealed class SeasonalForecaster(DirectorSettings settings) : TrendForecaster(settings)
{
    private const int Slots = 288;

    // The weight of the newest season: as much as that of all earlier seasons together.
    private const double SeasonWeight = 0.5;

    private readonly double _slotSeconds = settings.Policy.Season.TotalSeconds / Slots;
    private readonly double[] _season = new double[Slots];
    private long _slot = -1;
    private double _sum;
    private int _count;

    public override LoadForecast Update(TimeSpan now, OperationRates[] raw)
    {
        var forecast = base.Update(now, raw);
        Learn(now, raw);
        return forecast;
    }

    protected override double CommonGrowthAhead(TimeSpan now, OperationRates[] raw) => Growth(now, Period * 1.5);

    protected override double LaterGrowth(TimeSpan now, OperationRates[] raw) => Growth(now, Period * 1.5 + Settings.Policy.BootTime);

    private TimeSpan Period => Settings.Policy.Period;

    // The highest load that earlier seasons had at the same time of the season, from `now` to `now + ahead`. This load is divided by the seasons' load at
    // the time of the last period's middle.
    private double Growth(TimeSpan now, TimeSpan ahead)
    {
        var at = Season((now - Period / 2).TotalSeconds);
        if (!(at > 0))
            return 1;
        var highest = at;
        var end = (now + ahead).TotalSeconds;
        for (var time = now.TotalSeconds; time < end; time += _slotSeconds / 2)
            highest = Math.Max(highest, Season(time));
        return Math.Max(highest, Season(end)) / at;
    }

    // The load at a time of the season, interpolated linearly between the middles of two of the 288 slots; 0 if a slot lacks measurements.
    private double Season(double seconds)
    {
        var position = seconds / _slotSeconds - 0.5;
        var first = Math.Floor(position);
        var (left, right) = (_season[Index((long)first)], _season[Index((long)first + 1)]);
        return left > 0 && right > 0 ? left + (right - left) * (position - first) : 0;
    }

    private void Learn(TimeSpan now, OperationRates[] raw)
    {
        // The measured period ends now, so its middle is half a period ago.
        var slot = (long)Math.Floor((now - Period / 2).TotalSeconds / _slotSeconds);
        if (slot != _slot && _count > 0)
        {
            ref var known = ref _season[Index(_slot)];
            known = known > 0 ? known + SeasonWeight * (_sum / _count - known) : _sum / _count;
            (_sum, _count) = (0, 0);
        }

        _slot = slot;
        _sum += raw.Sum(rates => rates.Total);
        _count++;
    }

    private static int Index(long slot) => (int)((slot % Slots + Slots) % Slots);
}
