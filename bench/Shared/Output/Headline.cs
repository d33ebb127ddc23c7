using System.Text.Json.Serialization;
using Stout.Experiments.Measuring;

namespace Stout.Experiments.Output;

/// <summary>A figure that the paper gives or a goal asks for.</summary>
/// <param name="Name">The quantity.</param>
/// <param name="Unit">The unit of the quantity; empty for a plain number.</param>
/// <param name="Ours">Our measurement; null if it is not finite, such as a time that was not reached.</param>
/// <param name="Paper">The paper's measurement; null if the paper gives no figure.</param>
/// <param name="Reason">Why the two differ, found by experiment; null while that is open.</param>
internal sealed record Headline(string Name, string Unit, double? Ours, double? Paper = null, string? Reason = null)
{
    /// <summary>The least value of several runs, or the lower end of a 95 % interval; null with one run.</summary>
    public double? Low { get; init; }

    /// <summary>The greatest value of several runs, or the upper end of a 95 % interval; null with one run.</summary>
    public double? High { get; init; }

    // Beyond this difference from the paper the report gives a reason.
    private const double Tolerance = 0.25;

    /// <summary>A figure of several runs.</summary>
    public static Headline Of(string name, string unit, Estimate ours, double? paper = null, string? reason = null) =>
        new(name, unit, Finite(ours.Value), paper, reason) { Low = Finite(ours.Low), High = Finite(ours.High) };

    /// <summary>The name with its unit.</summary>
    [JsonIgnore]
    public string Label => Unit.Length == 0 ? Name : $"{Name} ({Unit})";

    /// <summary>The range from <see cref="Low"/> to <see cref="High"/> as text; empty with one run.</summary>
    [JsonIgnore]
    public string Around => Low is null && High is null ? "" : $"{Figure.Of(Low, "never")} to {Figure.Of(High, "never")}";

    [JsonIgnore]
    public double? Ratio => Ours / Paper;

    /// <summary>Whether the paper has a figure, and ours is missing or more than a quarter off.</summary>
    [JsonIgnore]
    public bool Differs => Paper is not null && !(Math.Abs((Ratio ?? 0) - 1) <= Tolerance);

    private static double? Finite(double? value) => value is { } number && double.IsFinite(number) ? number : null;
}
