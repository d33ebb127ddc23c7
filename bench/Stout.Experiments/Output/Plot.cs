namespace Stout.Experiments.Output;

/// <summary>A picture of a result's table: which columns it shows. Whoever draws it needs nothing else.</summary>
/// <param name="Title">What it shows.</param>
/// <param name="X">The column of the horizontal axis.</param>
/// <param name="Y">The column of the vertical axis.</param>
/// <param name="Series">The column whose values tell the lines apart.</param>
/// <param name="Logarithmic">Whether the vertical axis is.</param>
/// <param name="Paper">Points that the paper gives.</param>
internal sealed record Plot(
    string Title, string X, string Y, string Series, bool Logarithmic = false, params IReadOnlyList<PaperPoint> Paper);

/// <summary>A point of one of the paper's figures.</summary>
internal sealed record PaperPoint(string Series, double X, double Y);
