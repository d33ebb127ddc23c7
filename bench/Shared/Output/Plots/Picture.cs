namespace Stout.Experiments.Output.Plots;

/// <summary>A picture of a document.</summary>
/// <param name="File">The name of its file.</param>
/// <param name="Panel">The picture's content.</param>
internal sealed record Picture(string File, Panel Panel)
{
    public static IReadOnlyList<Picture> AllOf(Document document) =>
        [.. document.Result.Plots.SelectMany(plot => Panels.Of(document.Result.Table, plot)).Select((panel, i) => new Picture($"{document.Stem}-{i + 1}.svg", panel))];

    public string Svg() => PanelPlot.Svg(Panel);
}
