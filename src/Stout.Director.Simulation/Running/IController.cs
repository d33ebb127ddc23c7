using Stout.Director.Decisions;

namespace Stout.Director.Simulation.Running;

/// <summary>Controls a simulated cluster: a Director or a baseline.</summary>
public interface IController
{
    /// <summary>The time between two calls of <see cref="Plan"/>.</summary>
    TimeSpan Period { get; }

    /// <summary>Decides on the layout and the servers.</summary>
    /// <param name="now">The virtual time since the beginning of the warm-up.</param>
    /// <returns>The decision; null for a controller that gives no reasons.</returns>
    Decision? Plan(TimeSpan now);

    /// <summary>Carries decisions out; called every tick.</summary>
    /// <param name="now">The virtual time since the beginning of the warm-up.</param>
    void Advance(TimeSpan now);
}
