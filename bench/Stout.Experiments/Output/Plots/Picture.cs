using Stout.Plots;

namespace Stout.Experiments.Output.Plots;

/// <summary>A picture of a document: in a file of its own, or inside a page.</summary>
/// <param name="File">The name of its file.</param>
/// <param name="Panel">What it shows.</param>
internal sealed record Picture(string File, Panel Panel)
{
    private string Id => Path.GetFileNameWithoutExtension(File);

    public static IReadOnlyList<Picture> AllOf(Document document) =>
        [.. document.Result.Plots.SelectMany(plot => Panels.Of(document.Result.Table, plot)).Select((panel, i) => new Picture($"{document.Stem}-{i + 1}.svg", panel))];

    /// <summary>An element of a page that holds <see cref="SvgPlot.Style"/>.</summary>
    public string Inline() => SvgPlot.Of(Panel, Id, style: null);

    public string Standalone() => SvgPlot.Of(Panel, Id, SvgPlot.Style);
}
