namespace Stout.Director.Models;

/// <summary>One benchmark run at steady load: the visit rates at one server, and whether the objective was violated (the paper's §5.4, figure 6).</summary>
/// <param name="Gets">Visits by reads per second.</param>
/// <param name="Puts">Visits by writes per second.</param>
/// <param name="Violated">Whether more reads than allowed were slower than the threshold.</param>
internal readonly record struct LoadSample(double Gets, double Puts, bool Violated);
