namespace Stout.Orleans.Chaos.Grains;

/// <summary>A value that a grain has written in its deactivation.</summary>
/// <param name="Document">The document.</param>
/// <param name="Value">The value.</param>
public sealed record EndSave(string Document, string Value);
