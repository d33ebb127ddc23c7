namespace OrleansDocuments.Grains;

/// <summary>The place of a document's grain, and the moves that led to it.</summary>
/// <param name="Silo">The address and port of the grain's silo.</param>
/// <param name="Epoch">The epoch of the activation's claim. It rises with each activation; the store refuses writes of activations with lower epochs.</param>
/// <param name="Moves">The number of the document's changes that were made on another silo than the change before.</param>
/// <param name="Fencings">How many activations have found themselves fenced.</param>
[GenerateSerializer, Immutable]
[Alias("OrleansDocuments.GrainPlace")]
public sealed record GrainPlace([property: Id(0)] string Silo, [property: Id(1)] long Epoch, [property: Id(2)] int Moves, [property: Id(3)] int Fencings);
