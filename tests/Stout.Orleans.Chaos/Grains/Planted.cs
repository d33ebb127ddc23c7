namespace Stout.Orleans.Chaos.Grains;

/// <summary>The bug that is planted in a silo, registered as a service.</summary>
/// <param name="Bug">The bug.</param>
public sealed record Planted(PlantedBug Bug);
