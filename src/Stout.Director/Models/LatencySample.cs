namespace Stout.Director.Models;

/// <summary>One measurement of read latency at steady load.</summary>
/// <param name="Gets">Visits by reads at one server, per second.</param>
/// <param name="Puts">Visits by writes at one server, per second.</param>
/// <param name="Slow">For each threshold, the share of reads that were slower, from 0 to 1.</param>
internal sealed record LatencySample(double Gets, double Puts, IReadOnlyList<double> Slow);
