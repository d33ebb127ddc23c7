using System.Xml.Linq;
using Stout.Experiments.Output;
using Stout.Experiments.Output.Plots;

namespace Stout.Experiments.Tests.Output;

public sealed class PlotTests
{
    private static readonly XNamespace Svg = "http://www.w3.org/2000/svg";

    [Fact]
    public void A_picture_says_what_it_shows_with_units_and_to_those_who_cannot_see_it()
    {
        var svg = Draw(Samples.Document());
        Assert.Equal("Latency & load", svg.Element(Svg + "title")!.Value);
        Assert.Contains("fixed-20: from 24 at 6,000 to 26 at 18,000", svg.Element(Svg + "desc")!.Value, StringComparison.Ordinal);
        Assert.Equal("img", svg.Attribute("role")!.Value);
        Assert.Superset(
            new HashSet<string> { "Latency & load", "rate (requests/s)", "mean (ms)", "paper", "fixed-20", "Stout, in the paper", "overloaded: the queue grows" }, Texts(svg));
    }

    [Fact]
    public void The_data_tells_whether_a_picture_is_its_picture()
    {
        var (panel, other) = (Panel(1.5), Panel(1.25));
        Assert.Equal(PanelPlot.Digest(panel), XElement.Parse(PanelPlot.Svg(panel)).Element(Svg + "metadata")!.Value);
        Assert.NotEqual(PanelPlot.Digest(panel), PanelPlot.Digest(other));

        static Panel Panel(double low)
        {
            var table = new Table(new Column("policy"), new Column("rate"), new Column("ms"), new Column("low"), new Column("high"));
            table.Add("a", 1.0, 2.0, low, 3.0);
            table.Add("a", 2.0, 2.0, null, null);
            return Assert.Single(Panels.Of(table, new Plot("Spread", "rate", "ms", "policy") { ErrorBar = new ErrorBar("low", "high") }));
        }
    }

    [Fact]
    public void Each_value_of_a_panels_column_has_a_picture()
    {
        var table = new Table(new Column("law"), new Column("store"), new Column("rate"), new Column("ms"));
        foreach (var store in new[] { "one", "groupcommit" })
        {
            table.Add("paper", store, 1.0, 2.0);
            table.Add("paper", store, 2.0, 3.0);
        }

        var panels = Panels.Of(table, new Plot("Latency", "rate", "ms", "law") { Panels = ["store"] });
        Assert.Equal(["Latency: one store", "Latency: groupcommit store"], panels.Select(panel => panel.Title));
        Assert.All(panels, panel => Assert.Equal(2, Assert.Single(panel.Lines).Points.Count));
    }

    [Fact]
    public void Many_lines_are_counted_and_not_named()
    {
        var table = new Table(new Column("tier"), new Column("time", "s"), new Column("meanMs", "ms"));
        for (var tier = 0; tier < 32; tier++)
            table.Add(tier, 0.0, 1.0 + tier);
        var texts = Texts(Draw(table, new Plot("Tiers", "time", "meanMs", "tier")));
        Assert.Contains("32 lines", texts);
        Assert.DoesNotContain("31", texts);
    }

    [Fact]
    public void The_same_table_gives_the_same_bytes() => Assert.Equal(Draw(Samples.Document()).ToString(), Draw(Samples.Document()).ToString());

    [Fact]
    public void A_file_asks_for_nothing()
    {
        var picture = Assert.Single(Picture.AllOf(Samples.Document()));
        Assert.Equal("fig8-paper-1.svg", picture.File);
        Assert.DoesNotContain(XElement.Parse(picture.Svg()).DescendantsAndSelf().Attributes(), attribute => attribute.Name.LocalName is "href" or "src");
    }

    private static XElement Draw(Document document) => XElement.Parse(Assert.Single(Picture.AllOf(document)).Svg());

    private static XElement Draw(Table table, Plot plot) => XElement.Parse(PanelPlot.Svg(Assert.Single(Panels.Of(table, plot))));

    private static HashSet<string> Texts(XElement svg) => [.. svg.Descendants(Svg + "text").Select(text => text.Value.Trim())];
}
