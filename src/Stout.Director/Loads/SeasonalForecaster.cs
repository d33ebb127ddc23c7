namespace Stout.Director.Loads;

/// <summary>The trend, and the growth of the whole load at the same time of earlier seasons (usually days).</summary>
internal sealed class SeasonalForecaster(DirectorSettings settings) : TrendForecaster(settings)
{
    private const int Slots = 288;

    // A further season counts as much as all earlier ones together.
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

    // The highest load of the season from now to then, in shares of that at the middle of the last period.
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

    // Linear between the middles of the slots; 0 where a slot is not known yet.
    private double Season(double seconds)
    {
        var position = seconds / _slotSeconds - 0.5;
        var first = Math.Floor(position);
        var (left, right) = (_season[Index((long)first)], _season[Index((long)first + 1)]);
        return left > 0 && right > 0 ? left + (right - left) * (position - first) : 0;
    }

    private void Learn(TimeSpan now, OperationRates[] raw)
    {
        // The measured period ends now.
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
