namespace Stout.Director.Loads;

/// <summary>How the load of the next period is estimated.</summary>
public enum ForecastKind
{
    /// <summary>The paper's hysteresis (§5.5): rises count at once, falls slowly.</summary>
    Smoothing,

    /// <summary>The level of every bin, the growth common to all bins, and bins that surge by themselves.</summary>
    Trend,

    /// <summary><see cref="Trend"/>, and the growth at the same time of earlier seasons.</summary>
    Seasonal,
}
