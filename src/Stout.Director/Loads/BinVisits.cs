namespace Stout.Director.Loads;

/// <summary>The visits to one bin (a range of keys) at one server, per second. A read that is sent to two replicas is a visit at each.</summary>
/// <param name="Bin">The bin.</param>
/// <param name="Gets">Visits by reads per second.</param>
/// <param name="Puts">Visits by writes per second.</param>
public readonly record struct BinVisits(int Bin, double Gets, double Puts);
