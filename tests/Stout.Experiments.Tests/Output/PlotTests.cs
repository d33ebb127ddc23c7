using System.Xml.Linq;
using Stout.Experiments.Output;
using Stout.Experiments.Output.Plots;
using Stout.Plots;

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
        Assert.Equal(["rate (requests/s)", "mean (ms)"], OfClass(svg, "name").Select(text => text.Value));
        Assert.Equal(["paper", "fixed-20", "Stout, in the paper", "overloaded: the queue grows"], OfClass(svg, "legend").Select(text => text.Value));
    }

    [Fact]
    public void An_overloaded_run_is_a_cross_and_on_no_line()
    {
        var svg = Draw(Samples.Document());
        // One on the plot, one in the legend.
        Assert.Equal(2, OfClass(svg, "cross").Count());
        var lines = OfClass(svg, "line").Where(line => line.Attribute("stroke-dasharray") is null).ToList();
        Assert.Equal(1, lines[0].Attribute("d")!.Value.Count(letter => letter == 'L'));
    }

    [Fact]
    public void The_papers_points_stand_where_they_belong()
    {
        var table = new Table(new Column("policy"), new Column("rate"), new Column("meanMs"));
        table.Add("ours", 100.0, 50.0);
        var svg = Draw(table, new Plot("Both", "rate", "meanMs", "policy", false, new PaperPoint("paper", 100, 50)));
        var (ours, paper) = (OfClass(svg, "mark").First(), OfClass(svg, "hollow").First());
        Assert.Equal((ours.Attribute("cx")!.Value, ours.Attribute("cy")!.Value), (paper.Attribute("cx")!.Value, paper.Attribute("cy")!.Value));
    }

    [Fact]
    public void Higher_values_stand_higher()
    {
        var svg = Draw(Samples.Document());
        var height = OfClass(svg, "mark").Take(2).Select(mark => double.Parse(mark.Attribute("cy")!.Value, System.Globalization.CultureInfo.InvariantCulture)).ToList();
        Assert.True(height[1] < height[0]);
    }

    [Fact]
    public void A_point_with_a_spread_has_an_error_bar()
    {
        var table = new Table(new Column("policy"), new Column("rate"), new Column("ms"), new Column("low"), new Column("high"));
        table.Add("a", 1.0, 2.0, 1.5, 3.0);
        table.Add("a", 2.0, 2.0, null, null);
        var svg = Draw(table, new Plot("Spread", "rate", "ms", "policy") { ErrorBar = new ErrorBar("low", "high") });
        Assert.Single(OfClass(svg, "bar"));
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
        var svg = Draw(table, new Plot("Tiers", "time", "meanMs", "tier"));
        Assert.Equal("32 lines", Assert.Single(OfClass(svg, "legend")).Value);
    }

    [Fact]
    public void A_long_series_loses_points_but_no_spike()
    {
        var table = new Table(new Column("run"), new Column("time", "s"), new Column("maxMs", "ms"));
        for (var second = 0; second < 7_200; second++)
            table.Add("a", (double)second, second == 3_333 ? 900.0 : 1.0);
        var svg = Draw(table, new Plot("Hiccups", "time", "maxMs", "run"));
        var path = OfClass(svg, "line").First().Attribute("d")!.Value.Split('L');
        Assert.InRange(path.Length, 400, 1_300);
        // 900 is half of the axis' height of 1,000, and more.
        Assert.Single(path, point => double.Parse(point.Split(' ')[1], System.Globalization.CultureInfo.InvariantCulture) < 150);
    }

    [Fact]
    public void The_same_table_gives_the_same_bytes() => Assert.Equal(Draw(Samples.Document()).ToString(), Draw(Samples.Document()).ToString());

    [Fact]
    public void A_file_brings_its_style_along_and_asks_for_nothing()
    {
        var picture = Assert.Single(Picture.AllOf(Samples.Document()));
        Assert.Equal("fig8-paper-1.svg", picture.File);
        var svg = XElement.Parse(picture.Standalone());
        Assert.Contains("prefers-color-scheme: dark", svg.Element(Svg + "style")!.Value, StringComparison.Ordinal);
        Assert.DoesNotContain(svg.DescendantsAndSelf().Attributes(), attribute => attribute.Name.LocalName is "href" or "src");
    }

    private static XElement Draw(Document document) => XElement.Parse(Assert.Single(Picture.AllOf(document)).Inline());

    private static XElement Draw(Table table, Plot plot) => XElement.Parse(SvgPlot.Of(Assert.Single(Panels.Of(table, plot)), "id", style: null));

    private static IEnumerable<XElement> OfClass(XElement svg, string name) => svg.Descendants().Where(element => (string?)element.Attribute("class") == name);
}
