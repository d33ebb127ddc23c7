namespace Stout.Director.Decisions;

/// <summary>A number that a rule used.</summary>
/// <param name="Name">The quantity's name and unit.</param>
/// <param name="Value">The quantity's value.</param>
public readonly record struct Quantity(string Name, double Value)
{
    /// <summary>Name and value.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => FormattableString.Invariant($"{Name} {Value:0.###}");
}
