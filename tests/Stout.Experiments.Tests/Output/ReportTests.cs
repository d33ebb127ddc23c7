using System.Text.RegularExpressions;
using Stout.Experiments.Experiments;
using Stout.Experiments.Output;
using Stout.Experiments.Output.Report;

namespace Stout.Experiments.Tests.Output;

public sealed partial class ReportTests
{
    private readonly string _page = ReportPage.Of([Samples.Document(), Samples.Document("sds", Samples.Result() with { Plots = [] })]);

    [Fact]
    public void The_page_asks_for_nothing_but_itself()
    {
        Assert.Contains("default-src 'none'", _page, StringComparison.Ordinal);
        Assert.DoesNotMatch(Fetching(), _page);
        Assert.All(Source().Matches(_page), image => Assert.StartsWith("data:image/svg+xml;base64,", image.Groups["address"].Value, StringComparison.Ordinal));
    }

    [Fact]
    public void Every_link_inside_the_page_leads_somewhere_and_no_name_is_used_twice()
    {
        var ids = Id().Matches(_page).Select(match => match.Groups["id"].Value).ToList();
        Assert.Distinct(ids);
        Assert.All(Anchor().Matches(_page), link => Assert.Contains(link.Groups["id"].Value, ids));
    }

    [Fact]
    public void Text_is_text_and_no_markup()
    {
        Assert.Contains("A note with &lt;angles&gt; &amp; more.", _page, StringComparison.Ordinal);
        Assert.Contains("the store &lt;waits&gt;", _page, StringComparison.Ordinal);
    }

    [Fact]
    public void A_figure_far_off_names_its_reason_or_that_it_is_open()
    {
        var rows = Comparison.AllOf([Samples.Document()]).Select(comparison => (comparison.Headline.Name, comparison.Rest[^1])).ToList();
        Assert.Equal([("near", ""), ("far", "the store <waits>"), ("far, open", "open"), ("never seen", "open")], rows);
        Assert.Contains("Of the 8 figures that the paper gives, 2 come out within 25 % here, 6 don&#39;t; for 4 of those the reason is open.", _page, StringComparison.Ordinal);
    }

    [Fact]
    public void Figures_of_real_stores_stand_beside_each_other_with_their_spread_and_without_the_papers()
    {
        var settings = new RunSettings { Store = "sqlite" };
        var result = Samples.Result() with { Headlines = [new("near", "ms", 9.5, 10) { Low = 8, High = 12 }] };
        var document = Samples.Document("fig8", result.WithoutPaper(), settings) with { RealStore = new RealStore("SQLite, one file", "Linux, x64, 2 processors", 12_345) };
        var page = ReportPage.Of([Samples.Document(), Json.Read(Json.Of(document))]);
        Assert.Contains(">On real stores</h2>", page, StringComparison.Ordinal);
        Assert.Contains("8 to 12", page, StringComparison.Ordinal);
        Assert.Contains("12,345 requests/s", page, StringComparison.Ordinal);
        Assert.DoesNotContain(">On real stores</h2>", _page, StringComparison.Ordinal);
        Assert.Empty(Comparison.AllOf([document]));
        Assert.Equal("fig8 --store sqlite --law delay --rounds 5 --tiers 4 --documents 64000 --seconds 5 --seed 1", document.Arguments);
    }

    [Fact]
    public void Every_section_names_the_command_that_repeats_it() =>
        Assert.Contains("bench/Stout.Experiments -- sds --store model --law paper --seed 1", _page, StringComparison.Ordinal);

    [Fact]
    public async Task A_folder_gives_back_what_was_saved_into_it_in_the_catalogues_order()
    {
        var directory = Directory.CreateTempSubdirectory("stout-report-");
        try
        {
            var folder = new ResultFolder(directory);
            foreach (var experiment in new[] { "sds", "table1", "fig8" })
                await folder.SaveAsync(Samples.Document(experiment), TestContext.Current.CancellationToken);
            var documents = await folder.LoadAsync(Catalogue.Names, TestContext.Current.CancellationToken);
            Assert.Equal(["table1", "fig8", "sds"], documents.Select(document => document.Experiment));
            Assert.All(
                ["fig8-paper.csv", "fig8-paper.md", "fig8-paper.json", "fig8-paper-1.svg"], file => Assert.True(File.Exists(Path.Combine(directory.FullName, file)), file));
        }
        finally
        {
            directory.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task The_command_writes_the_page_and_says_when_there_is_nothing_to_tell()
    {
        var directory = Directory.CreateTempSubdirectory("stout-report-");
        try
        {
            var docs = Path.Combine(directory.FullName, "pages", "evaluation.md");
            string[] arguments = ["report", "--out", directory.FullName, "--docs", docs];
            Assert.Equal(1, await RunAsync(arguments));
            await new ResultFolder(directory).SaveAsync(Samples.Document(), TestContext.Current.CancellationToken);
            Assert.Equal(0, await RunAsync(arguments));
            Assert.Equal(ReportPage.Of([Samples.Document()]), await File.ReadAllTextAsync(Path.Combine(directory.FullName, ReportPage.File), TestContext.Current.CancellationToken));
            Assert.True(File.Exists(docs));
            Assert.True(File.Exists(Path.Combine(directory.FullName, "pages", "evaluation", "fig8-paper-1.svg")));
        }
        finally
        {
            directory.Delete(recursive: true);
        }
    }

    private static Task<int> RunAsync(string[] arguments) =>
        ExperimentsCommand.Create().Parse(arguments).InvokeAsync(cancellationToken: TestContext.Current.CancellationToken);

    [GeneratedRegex("<(script|link|iframe|object|use|image)|@import|url\\(", RegexOptions.IgnoreCase)]
    private static partial Regex Fetching();

    [GeneratedRegex("<img src=\"(?<address>[^\"]+)\"")]
    private static partial Regex Source();

    [GeneratedRegex(" id=\"(?<id>[^\"]+)\"")]
    private static partial Regex Id();

    [GeneratedRegex("href=\"#(?<id>[^\"]+)\"")]
    private static partial Regex Anchor();
}
