using Stout.Director.Actions;
using Stout.Director.Decisions;

namespace Stout.Director.Recordings;

/// <summary>A replayed plan, or the commands that were due at a moment.</summary>
/// <param name="At">The Director's time.</param>
/// <param name="Decision">The decision; null for commands, and for an observation that the Director refused.</param>
/// <param name="Commands">The commands; empty for a decision.</param>
internal sealed record ReplayedStep(TimeSpan At, Decision? Decision, IReadOnlyList<ClusterCommand> Commands)
{
    /// <summary>The error with which the Director refused an observation; null otherwise.</summary>
    public string? Refused { get; init; }
}
