namespace Stout.Director.Planning;

/// <summary>The number of empty servers kept ready: as many as the steepest expected growth fills until new servers have booted.</summary>
internal sealed class Reserve(DirectorPolicy policy)
{
    // The growth is measured one period late, and the next plan is one period away.
    private const double PeriodsLate = 2;

    // A load near the boundary between two numbers does not change the reserve back and forth.
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
