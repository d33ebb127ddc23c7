namespace Stout.Experiments.Measuring;

/// <summary>The measurements of a replay of editing histories.</summary>
/// <param name="Run">Latencies of keystrokes, and what the store was sent.</param>
/// <param name="Keystrokes">All that were made.</param>
/// <param name="WritesAsked">Those that changed something.</param>
/// <param name="Verified">Whether the store holds the end of every history.</param>
internal sealed record EditingFigures(RunFigures Run, int Keystrokes, int WritesAsked, bool Verified);
