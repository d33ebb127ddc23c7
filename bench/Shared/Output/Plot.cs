namespace Stout.Experiments.Output;

/// <summary>A picture of a result's table, given by the columns that it shows.</summary>
/// <param name="Title">The plot's subject.</param>
/// <param name="X">The column of the horizontal axis.</param>
/// <param name="Y">The column of the vertical axis.</param>
/// <param name="Series">The column whose values tell the lines apart.</param>
/// <param name="Logarithmic">Whether the vertical axis is logarithmic.</param>
/// <param name="Paper">Points that the paper gives.</param>
internal sealed record Plot(
    string Title, string X, string Y, string Series, bool Logarithmic = false, params IReadOnlyList<PaperPoint> Paper)
{
    /// <summary>The columns of an error bar's ends; null without error bars.</summary>
    public ErrorBar? ErrorBar { get; init; }

    /// <summary>
    /// The columns that divide the plot into pictures, one for each combination of values: lines of different stores don't belong in one picture.
    /// </summary>
    public IReadOnlyList<string> Panels { get; init; } = [];
}

/// <summary>A point of one of the paper's figures.</summary>
internal sealed record PaperPoint(string Series, double X, double Y);

/// <summary>The columns that hold the ends of an error bar.</summary>
internal sealed record ErrorBar(string Low, string High);
