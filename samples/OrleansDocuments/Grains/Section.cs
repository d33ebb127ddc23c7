namespace OrleansDocuments.Grains;

/// <summary>A section: one part of a document's state.</summary>
[GenerateSerializer, Immutable]
[Alias("OrleansDocuments.Section")]
public sealed record Section
{
    [Id(0)]
    public required string Text { get; init; }
}
