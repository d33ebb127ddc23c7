using Orleans.Placement;

namespace Stout.Orleans.HandOver;

/// <summary>
/// Names the filter of <see cref="CordonDirector"/>. The filter runs after those of the application, since it must know whether any other silo is left.
/// </summary>
internal sealed class StoutCordonFilter() : PlacementFilterStrategy(2_000_000_000);
