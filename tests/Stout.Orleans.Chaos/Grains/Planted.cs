namespace Stout.Orleans.Chaos.Grains;

/// <summary>The bug of a silo, as a service.</summary>
/// <param name="Bug">The bug.</param>
public sealed record Planted(PlantedBug Bug);
