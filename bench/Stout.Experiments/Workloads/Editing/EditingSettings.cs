namespace Stout.Experiments.Workloads;

/// <summary>How histories are replayed.</summary>
/// <param name="Speed">Times as fast as they were written.</param>
/// <param name="SubKeys">Whether each section is a part of its own; otherwise a change writes the whole document.</param>
internal sealed record EditingSettings(double Speed, bool SubKeys);
