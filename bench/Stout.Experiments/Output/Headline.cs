namespace Stout.Experiments.Output;

/// <summary>A figure that the paper gives or a goal asks for.</summary>
/// <param name="Name">What it is.</param>
/// <param name="Unit">Its unit; empty for a plain number.</param>
/// <param name="Ours">What we measured; null if it never came to that.</param>
/// <param name="Paper">What the paper measured; null where it gives none.</param>
internal sealed record Headline(string Name, string Unit, double? Ours, double? Paper = null)
{
    public double? Ratio => Ours / Paper;
}
