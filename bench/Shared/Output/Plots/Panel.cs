namespace Stout.Experiments.Output.Plots;

/// <summary>One picture: its lines, and the words on its axes.</summary>
/// <param name="Title">The panel's subject.</param>
/// <param name="X">The horizontal axis' words.</param>
/// <param name="Y">The vertical axis' words.</param>
/// <param name="Logarithmic">Whether the vertical axis is logarithmic.</param>
/// <param name="Lines">The lines, in the order of the legend.</param>
/// <param name="Landmarks">Points to compare the lines with, beside the lines.</param>
internal sealed record Panel(string Title, string X, string Y, bool Logarithmic, IReadOnlyList<PlotLine> Lines, IReadOnlyList<PlotLine> Landmarks)
{
    /// <summary>Whether the horizontal axis is logarithmic.</summary>
    public bool LogarithmicX { get; init; }

    /// <summary>Values of all points, of lines and landmarks.</summary>
    public IEnumerable<double> Values(Func<PlotPoint, IEnumerable<double>> of) => Lines.Concat(Landmarks).SelectMany(static line => line.Points).SelectMany(of);
}

/// <summary>Points that belong together.</summary>
internal sealed record PlotLine(string Name, IReadOnlyList<PlotPoint> Points);

/// <summary>A point, and how far its value spreads.</summary>
internal readonly record struct PlotPoint(double X, double Y)
{
    public bool Overloaded { get; init; }

    public double? Low { get; init; }

    public double? High { get; init; }

    public bool IsDrawn => double.IsFinite(X) && double.IsFinite(Y);
}
