namespace Stout.Director.Loads;

/// <summary>The ways in which the load of the next period is estimated.</summary>
public enum ForecastKind
{
    /// <summary>The paper's hysteresis (§5.5): the estimate follows rises fast and falls slowly.</summary>
    Smoothing,

    /// <summary>Each bin's own level times the growth common to all bins. The rise of a bin that surges by itself is extrapolated.</summary>
    Trend,
}
