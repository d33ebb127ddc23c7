using System.Text.Json.Nodes;
using Stout.Director.Tool.Answers;
using Stout.Director.Tool.Commands;
using Stout.Director.Tool.Fitting;
using Stout.Director.Tool.Histories;
using Stout.Director.Tool.Pages;

namespace Stout.Director.Tests.Tool.Answers;

/// <summary>Answers about a history: rules, gaps, situations, page and JSON.</summary>
public sealed class AnswerTests
{
    private static readonly Situation Plain = new() { Objective = Synthetic.Objective, Boot = TimeSpan.FromSeconds(30), Charge = TimeSpan.FromMinutes(1), Least = 1, Most = 100 };

    [Fact]
    public void Each_rule_is_answered_and_the_page_and_the_JSON_have_it()
    {
        var history = Synthetic.Wave(60, 900);
        var sets = Make(history, Plain, Plain with { Scale = 2, Words = "If the load were 2 times as high" });
        Assert.Equal(Rule.All, sets[0].Answers.Select(answer => answer.Rule));
        var (peak, hpa) = (Of(sets[0], "static, peak at 70 %"), Of(sets[0], "HPA at 70 %"));
        Assert.Equal(0, peak.ViolatedMinutes);
        Assert.True(hpa.Servers < peak.Servers);
        Assert.InRange(hpa.Most, 5, 8);
        Assert.True(Of(sets[0], "HPA at 50 %").Servers > Of(sets[0], "HPA at 80 %").Servers);
        Assert.InRange(Of(sets[1], "HPA at 70 %").Servers / hpa.Servers, 1.8, 2.2);
        Assert.InRange(Of(sets[0], "Director").Most, 5, 12);

        var page = AnswersPage.Of(history, sets, null, "No reason.");
        Assert.All(Rule.All, rule => Assert.Contains(System.Net.WebUtility.HtmlEncode(rule.Words), page, StringComparison.Ordinal));
        Assert.Contains("If the load were 2 times as high", page, StringComparison.Ordinal);
        Assert.DoesNotContain("NaN", page, StringComparison.Ordinal);
        var json = JsonNode.Parse(AnswersJson.Of(history, sets, null))!;
        Assert.Equal(hpa.Servers, (double)json["situations"]![0]!["answers"]!.AsArray().First(answer => (string)answer!["rule"]! == "HPA at 70 %")!["servers"]!["best"]!);
    }

    [Fact]
    public void The_page_says_before_its_table_why_not_to_trust_it()
    {
        const string caution = "<p class=\"caution\">";
        var history = Synthetic.Wave(240, 900, 0.85);
        var backtest = Backtest.Make(history, Synthetic.Objective, 60, 1, TestContext.Current.CancellationToken);
        var (set, measured) = (new AnswerSet(Plain, Kind(0.85), null, []), backtest.Measured);
        string PageOf(AnswerSet set, Backtest? backtest) => AnswersPage.Of(history, [set with { Answers = [.. Rule.All.Select(rule => new Answer(rule, [measured]))] }], backtest, null).Split("<table>")[0];
        Assert.DoesNotContain(caution, PageOf(set, backtest with { Measured = backtest.Predicted.Best }), StringComparison.Ordinal);
        Assert.Contains("The backtest failed", PageOf(set, backtest with { Measured = measured with { Attained = 1 } }), StringComparison.Ordinal);
        Assert.Contains("not tested", PageOf(set, null), StringComparison.Ordinal);
        Assert.Contains("does not show how much one server can serve", PageOf(set with { Kind = Kind(0.2) }, null), StringComparison.Ordinal);
    }

    [Fact]
    public void Intervals_of_a_gap_are_not_judged()
    {
        var history = Synthetic.Wave(60, 900);
        foreach (var bin in history.Bins)
            Array.Fill(bin.Reads, double.NaN, 20, 10);
        var intervals = new Intervals(history, Synthetic.Objective);
        Assert.Equal(50, intervals.Known);
        var outcome = Of(Make(history, Plain)[0], "static, sized for the peak");
        Assert.Equal(10, outcome.SlowShares.Count(double.IsNaN));
    }

    [Fact]
    public void A_backtest_of_the_known_service_predicts_its_last_part()
    {
        var backtest = Backtest.Make(Synthetic.Wave(240, 900, 0.85), Synthetic.Objective, 60, 1, TestContext.Current.CancellationToken);
        Assert.InRange(backtest.SlowError, 0, 0.003);
        Assert.Equal(backtest.Measured.Servers, backtest.Predicted.Best.Servers, 0.2);
        Assert.Throws<HistoryException>(() => Backtest.Make(Synthetic.Wave(240, 900), Synthetic.Objective, 240, 1, TestContext.Current.CancellationToken));
    }

    [Fact]
    public void A_model_files_price_is_that_of_one_paid_interval()
    {
        var file = Kind(0.85).Models(Synthetic.Objective)[0];
        var kind = new ServerKind("file", null, file with { Type = file.Type with { Price = 0.1 } }, 60, null);
        Assert.Equal(6, kind.PriceOfHour(Plain), 1e-9);
        Assert.Equal(0.1, kind.PriceOfHour(Plain with { Charge = TimeSpan.FromHours(1) }), 1e-9);
        Assert.Equal(2, kind.PriceOfHour(Plain with { Price = 2 }));
        Assert.Equal(1, Kind(0.85).PriceOfHour(Plain));
    }

    [Theory]
    [InlineData("boot=5m")]
    [InlineData("scale=1.5")]
    [InlineData("least=3")]
    [InlineData("most=20")]
    [InlineData("price=0.1")]
    [InlineData("charge=1h")]
    [InlineData("slo=95 % of reads under 50 ms, over 5 min")]
    public void A_variation_changes_one_thing(string text) => Assert.NotEqual(Plain, SituationParser.Vary(Plain, text, []) with { Words = "" });

    [Theory]
    [InlineData("boot")]
    [InlineData("boot=soon")]
    [InlineData("scale=0")]
    [InlineData("scale=NaN")]
    [InlineData("least=0")]
    [InlineData("least=101")]
    [InlineData("price=-1")]
    [InlineData("speed=2")]
    [InlineData("type=other")]
    public void A_wrong_variation_is_an_error(string text) => Assert.Throws<OptionException>(() => SituationParser.Vary(Plain, text, []));

    private static IReadOnlyList<AnswerSet> Make(ServiceHistory history, params Situation[] situations) =>
        AnswerSet.Make(history, [Kind(0.85)], situations, 0, 1, new Progress<double>(), TestContext.Current.CancellationToken);

    // Servers known from a wave that an operator kept at a utilization.
    private static ServerKind Kind(double utilization) => new("own", ProductionTrainer.Train(Synthetic.Wave(240, 900, utilization)), null, 60, null);

    private static Outcome Of(AnswerSet set, string rule) => set.Answers.Single(answer => answer.Rule.Words == rule).Best;
}
