namespace Linearizability;

/// <summary>The checker's result for one register.</summary>
/// <param name="Key">The register.</param>
/// <param name="Result">The result.</param>
/// <param name="Operations">How many operations the register has in the history.</param>
/// <param name="Explanation">For a violation: how far an order was found, and the operations that can't follow. Else empty.</param>
public sealed record Verdict(string Key, Linearizable Result, int Operations, string Explanation = "")
{
    public override string ToString() => $"{Key}: {Result}, {Operations} operations{(Explanation.Length == 0 ? "" : "\n" + Explanation)}";
}
