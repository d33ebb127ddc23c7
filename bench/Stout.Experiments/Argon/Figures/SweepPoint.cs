namespace Stout.Experiments.Argon.Figures;

/// <summary>The least fraction of its throughput alone in its share that a service keeps at one value of a setting.</summary>
internal sealed record SweepPoint(double Value, double Fraction);
