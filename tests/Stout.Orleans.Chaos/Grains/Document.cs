namespace Stout.Orleans.Chaos.Grains;

/// <summary>The state of a document.</summary>
public sealed class Document
{
    /// <summary>The values, in the order in which they were written.</summary>
    public List<string> Log { get; init; } = [];

    /// <summary>Returns the document with one more value at the end.</summary>
    public Document With(string value) => new() { Log = [.. Log, value] };
}
