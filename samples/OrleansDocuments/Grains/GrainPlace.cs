namespace OrleansDocuments.Grains;

/// <summary>Where a document's grain lives, and how it came there.</summary>
/// <param name="Silo">The address and port of its silo.</param>
/// <param name="Epoch">The epoch of its claim. It rises with each activation; the store refuses the writes of activations with lower ones.</param>
/// <param name="Moves">How often a change of the document came from another silo than the change before.</param>
/// <param name="Fencings">How many activations have found themselves fenced.</param>
[GenerateSerializer, Immutable]
[Alias("OrleansDocuments.GrainPlace")]
public sealed record GrainPlace([property: Id(0)] string Silo, [property: Id(1)] long Epoch, [property: Id(2)] int Moves, [property: Id(3)] int Fencings);
