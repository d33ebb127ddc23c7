using System.Text.Json;
using Stout.Experiments.Experiments;
using Stout.Experiments.Laws;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;

namespace Stout.Experiments.Tests.Output;

public sealed class JsonTests
{
    [Fact]
    public void A_document_comes_back_whole()
    {
        var document = Samples.Document();
        var read = Json.Read(Json.Of(document));
        Assert.Equal(Json.Of(document), Json.Of(read));
        Assert.Equal(document.Command, read.Command);
        Assert.Equal(document.Heading, read.Heading);
        Assert.Equal(document.Result.Headlines, read.Result.Headlines);
        Assert.Equal(Csv.Of(document.Result.Table), Csv.Of(read.Result.Table));
        Assert.Equal(document.Result.Plots[0].Paper, read.Result.Plots[0].Paper);
    }

    [Fact]
    public void What_is_no_number_is_nothing()
    {
        var result = Samples.Result() with { Headlines = [new("infinite", "", double.PositiveInfinity, 1)] };
        var read = Json.Read(Json.Of(Samples.Document(result: result)));
        Assert.False(double.IsFinite(read.Result.Headlines[0].Ours ?? double.NaN));
        Assert.True(read.Result.Headlines[0].Differs);
        Assert.Null(read.Result.Table.Rows[4][2]);
    }

    [Fact]
    public void A_text_that_is_no_document_is_refused() => Assert.Throws<JsonException>(() => Json.Read("{\"experiment\":\"fig8\"}"));

    [Fact]
    public void The_command_repeats_what_was_asked_for_and_names_the_law()
    {
        var settings = new RunSettings { Model = StoreKinds.GroupCommit, Law = LawCatalogue.Fixed(20), Seed = 7 };
        var document = Samples.Document("fig8", settings: settings);
        Assert.EndsWith("-- fig8 --store model --model groupcommit --law fixed-20 --seed 7", document.Command, StringComparison.Ordinal);
        Assert.Empty(ExperimentsCommand.Create().Parse(document.Arguments).Errors);
    }

    [Theory]
    [InlineData(false, "random")]
    [InlineData(true, "drift")]
    public void And_what_was_drawn_at_random(bool drift, string stem)
    {
        var document = Samples.Document("goals", settings: new RunSettings { Random = new(40, drift, null), Seed = unchecked((int)0xf489d410) });
        Assert.Contains("--random --count 40", document.Arguments, StringComparison.Ordinal);
        Assert.EndsWith(" --seed 0xf489d410", document.Arguments, StringComparison.Ordinal);
        Assert.EndsWith(stem, document.Stem, StringComparison.Ordinal);
        Assert.Empty(ExperimentsCommand.Create().Parse(document.Arguments).Errors);
    }

    [Fact]
    public void Runs_with_other_settings_have_other_files()
    {
        var paper = new RunSettings { Law = LawCatalogue.Find("paper")! };
        RunSettings[] settings =
        [
            paper, paper with { Model = StoreKinds.GroupCommit }, paper with { Law = LawCatalogue.Fixed(20) }, paper with { Scope = Workloads.LawScope.Lane }, paper with { Store = "postgres" },
        ];
        var stems = settings.Select(one => Samples.Document(settings: one).Stem).ToList();
        Assert.Equal(["fig8-paper", "fig8-groupcommit-paper", "fig8-fixed-20", "fig8-paper-lane", "fig8-postgres-paper"], stems);
        Assert.Equal("table1", Samples.Document("table1").Stem);
    }
}
