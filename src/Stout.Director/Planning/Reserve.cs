namespace Stout.Director.Planning;

/// <summary>
/// The growth of the load that has to find room before leased servers have booted, and the empty servers kept ready for it. A Director that has
/// just started expects <see cref="DirectorPolicy.Surge"/>. Later it expects the steepest growth that the load has shown, up to the highest load that the load has
/// shown. All of that is forgotten by and by.
/// </summary>
internal sealed class Reserve(DirectorPolicy policy)
{
    // Hysteresis: the reserve grows if 0.6 more servers are wanted, and shrinks if 0.9 fewer are. So a load near a boundary does not toggle the reserve.
    private const double Rise = 0.6;
    private const double Fall = 0.9;

    private readonly LoadHistory _history = new(policy);
    private readonly double _kept = Math.Pow(0.5, policy.Period / policy.SurgeMemory);
    private double _unknown = -1;
    private double _shown;
    private double _highest;
    private int _servers = -1;

    /// <summary>The highest load of the last <see cref="DirectorPolicy.Dwell"/>.</summary>
    public double Recent => _history.Recent;

    /// <summary>The number of empty servers kept ready.</summary>
    public int Servers => Math.Max(_servers, policy.Standbys);

    /// <summary>Takes in the load of a plan.</summary>
    /// <returns>The growth to expect, as a share of the load.</returns>
    public double Growth(TimeSpan now, double load)
    {
        _history.Add(now, load);
        _unknown = _unknown < 0 ? policy.Surge * _history.Lead.TotalMinutes : _unknown * _kept;
        // The paper's policy has no surge, and expects no growth.
        _shown = policy.Surge > 0 ? Math.Max(_shown * _kept, _history.Growth) : 0;
        _highest = Math.Max(_highest * _kept, load);
        return load > 0 ? Math.Max(_unknown, Math.Min(_shown, _highest / load - 1)) : 0;
    }

    /// <summary>Takes in the number of empty servers that the expected growth needs.</summary>
    public void Want(double servers)
    {
        if (_servers < 0 || servers > _servers + Rise || servers < _servers - Fall)
            _servers = (int)Math.Round(servers);
    }
}
