namespace Stout.Experiments.Measuring;

/// <summary>The measurements of a replay of editing histories.</summary>
/// <param name="Run">The latencies of keystrokes, and the requests to the store.</param>
/// <param name="Keystrokes">The number of keystrokes.</param>
/// <param name="WritesAsked">The number of keystrokes that changed something.</param>
/// <param name="Verified">Whether the store holds the final text of every history.</param>
internal sealed record EditingFigures(RunFigures Run, int Keystrokes, int WritesAsked, bool Verified);
