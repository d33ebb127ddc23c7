namespace Stout.Experiments.Workloads;

/// <summary>How histories are replayed.</summary>
/// <param name="Speed">The speed, as a multiple of the speed at which the histories were written.</param>
/// <param name="SubKeys">Whether each section is a part of its own; otherwise a change writes the whole document.</param>
internal sealed record EditingSettings(double Speed, bool SubKeys);
