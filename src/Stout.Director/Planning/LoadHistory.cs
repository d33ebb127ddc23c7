namespace Stout.Director.Planning;

/// <summary>The whole load of the last plans, in servers of the first type.</summary>
internal sealed class LoadHistory(DirectorPolicy policy)
{
    // Besides the boot time, growth goes unanswered for two periods: measurements are one period late, and the next plan is up to one period away.
    private const double PeriodsLate = 2;

    private readonly Queue<(TimeSpan At, double Load)> _past = new();

    /// <summary>The time for which growth goes unanswered.</summary>
    public TimeSpan Lead { get; } = policy.BootTime + policy.Period * PeriodsLate;

    /// <summary>The highest load of the last <see cref="DirectorPolicy.Dwell"/>, the present one included.</summary>
    public double Recent { get; private set; }

    /// <summary>The load that has come within the last <see cref="Lead"/> beyond the highest of the <see cref="DirectorPolicy.Dwell"/> before it, as a share of the load before.</summary>
    public double Growth { get; private set; }

    public void Add(TimeSpan now, double load)
    {
        _past.Enqueue((now, load));
        while (_past.Peek().At < now - Lead - policy.Dwell)
            _past.Dequeue();
        double before = 0, recent = 0;
        foreach (var (at, past) in _past)
        {
            if (at <= now - Lead)
                before = Math.Max(before, past);
            if (at >= now - policy.Dwell)
                recent = Math.Max(recent, past);
        }

        Recent = recent;
        Growth = before > 0 ? Math.Max(0, load / before - 1) : 0;
    }
}
