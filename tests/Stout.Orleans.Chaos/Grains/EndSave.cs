namespace Stout.Orleans.Chaos.Grains;

/// <summary>A value that a grain has written in its deactivation.</summary>
/// <param name="Document">The document.</param>
/// <param name="Value">The value.</param>
public sealed record EndSave(string Document, string Value)
{
    /// <summary>Whether the grain was told that another owner has the document, or that the outcome is unknown. Every other value has to be kept.</summary>
    public bool IsRefused { get; init; }

    /// <summary>The error that the grain was told; null if it was told that the value is durable, or nothing.</summary>
    public string? Error { get; init; }
}
