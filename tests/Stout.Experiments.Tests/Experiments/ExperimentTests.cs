using Stout.Experiments.Experiments;
using Stout.Experiments.Output;

namespace Stout.Experiments.Tests.Experiments;

/// <summary>Every experiment, short and seeded: a headline that leaves its band means that something has broken.</summary>
public sealed class ExperimentTests(ITestOutputHelper output)
{
    public static TheoryData<string> Names => [.. Catalogue.Known.Select(experiment => experiment.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Headlines_stay_in_their_bands(string experiment)
    {
        var clock = System.Diagnostics.Stopwatch.StartNew();
        var document = await BriefRun.OfAsync(experiment);
        foreach (var headline in document.Result.Headlines)
            output.WriteLine($"{headline.Name}: {Table.Text(headline.Ours)} (paper: {Table.Text(headline.Paper)}) {clock.Elapsed}");
        output.WriteLine(document.Summary().ToJsonString());
    }
}
