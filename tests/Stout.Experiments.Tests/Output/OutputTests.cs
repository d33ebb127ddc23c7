using System.Text.Json.Nodes;
using Stout.Experiments.Experiments;
using Stout.Experiments.Output;
using Stout.Experiments.Tests.Experiments;

namespace Stout.Experiments.Tests.Output;

public sealed class OutputTests
{
    [Fact]
    public async Task The_same_seed_gives_the_same_bytes_whatever_runs_beside()
    {
        var (alone, together) = (await BriefRun.AnewAsync("sds", parallel: 1), await BriefRun.AnewAsync("sds", parallel: 2));
        Assert.Equal(Csv.Of(alone.Result.Table), Csv.Of(together.Result.Table));
        Assert.Equal(Json.Of(alone), Json.Of(together));
        Assert.Equal(Markdown.Of(alone, "data.csv"), Markdown.Of(together, "data.csv"));
    }

    [Fact]
    public void A_cell_with_a_comma_a_quote_or_a_line_end_is_quoted()
    {
        var table = new Table(new Column("a"), new Column("b", "ms"));
        table.Add("x, \"y\"", 1.23456);
        table.Add(null, double.NaN);
        Assert.Equal("a,b\n\"x, \"\"y\"\"\",1.235\n,\n", Csv.Of(table));
    }

    [Fact]
    public void A_row_has_as_many_cells_as_there_are_columns() =>
        Assert.Throws<ArgumentException>(() => new Table(new Column("a"), new Column("b")).Add(1));

    [Theory]
    [InlineData("fairness", "jain", "maxOverMin", "secondsToJain99")]
    [InlineData("fig14", "recoverSeconds")]
    [InlineData("fig11", "settleSecondsDown", "settleSecondsUp")]
    public async Task A_summary_has_the_keys_that_scripts_rely_on(string experiment, params string[] keys)
    {
        var summary = (await BriefRun.OfAsync(experiment)).Summary();
        Assert.All([.. keys, "experiment", "store", "seed", "law"], key => Assert.True(summary.ContainsKey(key), key));
    }

    [Fact]
    public async Task Rows_of_a_summary_have_the_keys_that_scripts_rely_on()
    {
        var fig10 = (JsonObject)(await BriefRun.OfAsync("fig10")).Summary()["rows"]![0]!;
        Assert.Equal(["rate", "bestFixedIntervalMs", "bestFixedMs", "adaptiveMs", "overhead"], fig10.Select(pair => pair.Key));
    }

    [Fact]
    public async Task A_plot_names_columns_of_its_table()
    {
        foreach (var experiment in new[] { "fig14", "sds", "fairness", "fig13" })
        {
            var result = (await BriefRun.OfAsync(experiment)).Result;
            var columns = result.Table.Columns.Select(column => column.Name).ToHashSet();
            Assert.All(result.Plots, plot => Assert.Subset(columns, new HashSet<string> { plot.X, plot.Y, plot.Series }));
        }
    }
}
