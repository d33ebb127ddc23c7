using Stout.Experiments.Experiments;
using Stout.Experiments.Experiments.Goals;
using Stout.Experiments.Laws;
using Stout.Experiments.Output;

namespace Stout.Experiments.Tests.Experiments;

/// <summary>
/// Short, seeded runs of every experiment with the paper's law. The experiments in which the default law does better also run with the default law. A
/// headline outside its band means that the model, a law or the lanes have changed. The bands are around the results of a short run, not around the
/// paper's figures. <see cref="GoalsTests"/> runs the goals.
/// </summary>
public sealed class ExperimentTests(ITestOutputHelper output)
{
    private static readonly Dictionary<string, (int Headline, double Least, double Most)[]> Bands = new()
    {
        ["verify"] = [(0, 4, 4)],
        ["table1"] = [(0, 9_900, 12_100), (1, 11_700, 14_300), (2, 15_300, 18_700)],
        ["fig6"] = [(0, 6_000, 6_000), (3, 20_000, 20_000)],
        ["fig7"] = [(1, 2_000, 6_000)],
        ["fig8"] = [(2, 30, 70), (5, 4, 4)],
        ["fig9"] = [(0, 0.002, 0.05)],
        ["fig10"] = [(0, 80, 160), (1, 20, 32)],
        ["fig11"] = [(0, 35, 80), (1, 1.4, 1.8), (4, 0, 10)],
        ["fairness"] = [(0, 0.97, 1), (1, 1, 1.3)],
        ["fig12"] = [(0, 0.2, 0.5)],
        ["sds"] = [(0, 1, 1.1), (1, 0.98, 1.05)],
        ["fig13"] = [(0, 2, 12), (1, 300, 1_500)],
        ["fig14"] = [(0, 2_700, 4_500), (2, 1, 30)],
        ["reasons"] = [(0, 10_000, 20_000), (1, 60_000, 80_000)],
        ["runaway"] = [(0, 1, 2), (1, 0, 0)],
        ["mixed"] = [(0, 1, 6)],
        ["slow-partition"] = [(0, 0.1, 1.1)],
        ["cost"] = [(0, 0.8, 0.84), (5, 0.02, 0.3)],
        ["editing"] = [(0, 1, 1), (1, 1.5, 100)],
        ["calibrate"] = [(0, 30_000, 60_000)],
        ["point"] = [(0, 50, 90), (9, 0.98, 1.02)],
    };

    private static readonly Dictionary<string, (int Headline, double Least, double Most)[]> BandsOfTheDefault = new()
    {
        ["fig8"] = [(2, 40, 60)],
        ["fig11"] = [(0, 8, 14), (2, 16, 30), (6, 0, 0)],
        ["fairness"] = [(0, 0.96, 1)],
        ["fig14"] = [(2, 0, 2)],
        ["sds"] = [(1, 0.95, 1.1)],
    };

    public static TheoryData<string> Names => [.. Catalogue.Known.Where(experiment => experiment is not (LawsOnStore or GoalsExperiment)).Select(experiment => experiment.Name)];

    public static TheoryData<string> NamesOfTheDefault => [.. BandsOfTheDefault.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public Task Headlines_stay_in_their_bands(string experiment) => CheckAsync(experiment, "paper", Bands[experiment]);

    [Theory]
    [MemberData(nameof(NamesOfTheDefault))]
    public Task Headlines_of_the_default_law_stay_in_their_bands(string experiment) => CheckAsync(experiment, LawCatalogue.Default.Name, BandsOfTheDefault[experiment]);

    [Fact]
    public Task Comparison_of_laws_on_a_real_store_is_refused_on_the_model() => Assert.ThrowsAsync<ExperimentException>(static () => BriefRun.OfAsync("laws"));

    private async Task CheckAsync(string experiment, string law, (int Headline, double Least, double Most)[] bands)
    {
        var headlines = (await BriefRun.OfAsync(experiment, law)).Result.Headlines;
        foreach (var headline in headlines)
            output.WriteLine($"{headline.Name}: {Table.Text(headline.Ours)}");
        foreach (var (index, least, most) in bands)
        {
            Assert.NotNull(headlines[index].Ours);
            Assert.InRange(headlines[index].Ours!.Value, least, most);
        }
    }
}
