namespace Stout.Director.Planning;

/// <summary>The number of empty servers kept ready: as many as the steepest expected growth fills until new servers have booted.</summary>
internal sealed class Reserve(DirectorPolicy policy)
{
    // Besides the boot time, growth goes unanswered for two periods: measurements are one period late, and the next plan is up to one period away.
    private const double PeriodsLate = 2;

    // Hysteresis: the reserve grows if 0.6 more servers are wanted, and shrinks if 0.9 fewer are. So a load near a boundary does not toggle the reserve.
    private const double Rise = 0.6;
    private const double Fall = 0.9;

    private int _servers = -1;

    public int For(double load)
    {
        var wanted = policy.Surge * load * (policy.BootTime + policy.Period * PeriodsLate).TotalMinutes;
        if (_servers < 0)
            _servers = (int)Math.Round(wanted);
        else if (wanted > _servers + Rise || wanted < _servers - Fall)
            _servers = (int)Math.Round(wanted);
        return Math.Max(_servers, policy.Standbys);
    }
}
