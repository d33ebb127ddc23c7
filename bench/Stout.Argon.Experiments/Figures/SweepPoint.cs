namespace Stout.Argon.Experiments.Figures;

/// <summary>The fractions of share × throughput alone that services keep at one value of a setting.</summary>
/// <param name="Value">The value.</param>
/// <param name="Fraction">The least of the services' fractions.</param>
/// <param name="Mean">The mean of the services' fractions.</param>
internal sealed record SweepPoint(double Value, double Fraction, double Mean);
