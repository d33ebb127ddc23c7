namespace Stout.Director.Decisions;

/// <summary>A fact for the operator that is not an action.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Text">A sentence with the numbers.</param>
public readonly record struct Finding(FindingKind Kind, string Text);
