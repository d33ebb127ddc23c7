namespace OrleansDocuments.Grains;

/// <summary>The silos on which a document has been changed.</summary>
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

    /// <summary>The journey after a change on a silo.</summary>
    public Journey To(string silo) => silo == Silo ? this : this with { Silo = silo, Moves = Silo is null ? Moves : Moves + 1 };
}
