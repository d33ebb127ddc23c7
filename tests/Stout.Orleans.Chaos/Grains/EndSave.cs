namespace Stout.Orleans.Chaos.Grains;

/// <summary>A value that a grain has written in its deactivation.</summary>
/// <param name="Document">The document.</param>
/// <param name="Value">The value.</param>
public sealed record EndSave(string Document, string Value)
{
    /// <summary>
    /// Whether the grain was told that another owner has the document, or that the outcome is unknown. If not, the value must be in the store.
    /// </summary>
    public bool IsRefused { get; init; }

    /// <summary>The error that the grain got; null if the save succeeded, or had not ended.</summary>
    public string? Error { get; init; }
}
