using Stout.Orleans.Storage;

namespace Stout.Orleans.Facet;

/// <summary>A facet's state on its way to the activation that the grain migrates to.</summary>
[GenerateSerializer, Immutable]
[Alias("Stout.Orleans.HandedOverState")]
internal sealed class HandedOverState
{
    [Id(0)]
    public required HandedOverKey Key { get; init; }

    [Id(1)]
    public required string[] Parts { get; init; }

    [Id(2)]
    public required byte[][] Values { get; init; }
}
