namespace Stout.Director.Decisions;

/// <summary>The reason of an action: the rule, its inputs, the predicate that held, and the alternatives that were rejected.</summary>
/// <param name="Rule">The rule.</param>
/// <param name="Predicate">The condition that held, with its numbers.</param>
/// <param name="Inputs">The numbers that the rule used.</param>
/// <param name="Rejected">The alternatives that were rejected.</param>
public sealed record Reason(Rule Rule, string Predicate, IReadOnlyList<Quantity> Inputs, IReadOnlyList<Rejection> Rejected)
{
    /// <summary>The reason in one or two sentences.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => Rejected.Count == 0 ? Predicate + "." : $"{Predicate}. Rejected: {string.Join("; ", Rejected)}.";
}
