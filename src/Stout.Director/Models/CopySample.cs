namespace Stout.Director.Models;

/// <summary>One benchmarked copy between two servers under load (the paper's §5.4).</summary>
/// <param name="SpecifiedRate">The rate asked for, in bytes per second.</param>
/// <param name="Gets">Visits by reads per second, both servers together.</param>
/// <param name="Puts">Visits by writes per second, both servers together.</param>
/// <param name="Factor">The observed rate divided by the specified one.</param>
internal readonly record struct CopySample(double SpecifiedRate, double Gets, double Puts, double Factor);
