namespace Stout.Director.Simulation.Physics;

/// <summary>The speed of copies.</summary>
internal static class CopyPhysics
{
    // The load of the source slows a copy a third as much as the same load of the target.
    private const double SourceWeight = 1 / 3.0;
    private const double LeastFactor = 0.1;

    /// <summary>The observed rate divided by the specified one, without noise.</summary>
    /// <param name="physics">The behavior of the target.</param>
    /// <param name="rate">The specified rate in bytes per second.</param>
    /// <param name="target">The target's utilization by visits; 1 is the whole processor without stalls.</param>
    /// <param name="source">The source's utilization by visits.</param>
    public static double Factor(ServerPhysics physics, double rate, double target, double source)
    {
        var load = (target + SourceWeight * source) * (physics.Run + physics.Stall) / physics.Run;
        return Math.Max(LeastFactor, 1 - physics.CopySlowdown * load - 0.5 * rate / physics.CopyCapacity * load);
    }
}
