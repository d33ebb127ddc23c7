namespace Stout.Orleans.Chaos.Grains;

/// <summary>A document as one owner of its key sees it.</summary>
/// <param name="Value">The last value; null before the first write.</param>
/// <param name="Length">The number of values that were written.</param>
/// <param name="Owner">The owner: an activation, and the number of its claims so far.</param>
/// <param name="Silo">The silo's name.</param>
/// <param name="Before">A time before this owner claimed the key, by the machine's monotonic clock.</param>
/// <param name="After">A time after that claim, by the same clock.</param>
[GenerateSerializer, Immutable]
[Alias("Stout.Orleans.Chaos.Grains.View")]
public sealed record View(
    [property: Id(0)] string? Value,
    [property: Id(1)] int Length,
    [property: Id(2)] string Owner,
    [property: Id(3)] string Silo,
    [property: Id(4)] long Before,
    [property: Id(5)] long After);
