using Stout.Director.Actions;

namespace Stout.Director.Decisions;

/// <summary>The result of one plan.</summary>
/// <param name="At">The Director's time of the plan.</param>
/// <param name="Actions">New actions, each with its reason.</param>
/// <param name="Canceled">Unfinished actions that were canceled since the last plan.</param>
/// <param name="Findings">Further facts for the operator.</param>
/// <param name="Load">The estimated load of all bins, overprovisioning included; 1 is the capacity of one server.</param>
/// <param name="Servers">The number of live servers.</param>
/// <param name="Reserve">The number of empty servers that the policy keeps ready.</param>
public sealed record Decision(
    TimeSpan At, IReadOnlyList<DirectorAction> Actions, IReadOnlyList<DirectorAction> Canceled, IReadOnlyList<Finding> Findings, double Load, int Servers, int Reserve);
