namespace OrleansDocuments.Grains;

/// <summary>The silo on which a document was changed last, the number of its moves between silos, and the number of fenced activations.</summary>
[GenerateSerializer, Immutable]
[Alias("OrleansDocuments.Journey")]
public sealed record Journey
{
    /// <summary>The silo of the last change; null before the first one.</summary>
    [Id(0)]
    public string? Silo { get; init; }

    [Id(1)]
    public int Moves { get; init; }

    [Id(2)]
    public int Fencings { get; init; }

    /// <summary>Returns the journey after one more change of the document, on the given silo.</summary>
    public Journey To(string silo) => silo == Silo ? this : this with { Silo = silo, Moves = Silo is null ? Moves : Moves + 1 };
}
