using Stout.Director.Actions;
using Stout.Director.Decisions;

namespace Stout.Director.Recordings;

/// <summary>A replayed plan, or the commands that were due at a moment.</summary>
/// <param name="At">The Director's time.</param>
/// <param name="Decision">The decision; null for commands.</param>
/// <param name="Commands">The commands; empty for a decision.</param>
public sealed record ReplayedStep(TimeSpan At, Decision? Decision, IReadOnlyList<ClusterCommand> Commands);
