namespace Stout.Orleans.Tests;

/// <summary>A state of three fields, as Orleans' own tests of storage use.</summary>
[GenerateSerializer]
[Alias("Stout.Orleans.Tests.TestState")]
public sealed record TestState
{
    [Id(0)]
    public string? Text { get; set; }

    [Id(1)]
    public int Number { get; set; }

    [Id(2)]
    public long Large { get; set; }
}
