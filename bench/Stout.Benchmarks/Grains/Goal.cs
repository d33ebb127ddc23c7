using System.Globalization;

namespace Stout.Benchmarks.Grains;

/// <summary>A bound of a figure's median.</summary>
/// <param name="Bound">The bound.</param>
/// <param name="IsLeast">Whether the bound is a lower bound; otherwise it is an upper one.</param>
internal sealed record Goal(double Bound, bool IsLeast)
{
    public static Goal AtLeast(double bound) => new(bound, IsLeast: true);

    public static Goal AtMost(double bound) => new(bound, IsLeast: false);

    public bool IsReached(double figure) => IsLeast ? figure >= Bound : figure <= Bound;

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{(IsLeast ? "≥" : "≤")} {Bound:0.##}");
}
