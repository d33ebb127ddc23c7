namespace Stout.Director.Decisions;

/// <summary>An alternative that was rejected.</summary>
/// <param name="Alternative">The alternative.</param>
/// <param name="Why">The condition that ruled it out.</param>
public readonly record struct Rejection(string Alternative, string Why)
{
    /// <summary>The alternative and the condition.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"{Alternative} ({Why})";
}
