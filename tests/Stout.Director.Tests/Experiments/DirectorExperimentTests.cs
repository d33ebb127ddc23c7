using Stout.Director.Experiments;
using Stout.Experiments;
using Stout.Experiments.Output;
using Stout.Experiments.Output.Plots;

namespace Stout.Director.Tests.Experiments;

/// <summary>The Director's experiments, short and with one seed. Each one must produce its page and its pictures.</summary>
public sealed class DirectorExperimentTests(ITestOutputHelper output)
{
    public static TheoryData<string> Names => [.. DirectorCatalogue.All.Select(experiment => experiment.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Every_experiment_makes_its_page_and_its_pictures(string experiment)
    {
        using var pool = new WorkPool(2, TestContext.Current.CancellationToken);
        Document document;
        try
        {
            document = await DirectorCatalogue.RunAsync(experiment, new ExperimentSettings { Effort = Effort.Brief }, pool);
        }
        catch (ExperimentException error)
        {
            Assert.Skip(error.Message);
            throw;
        }

        foreach (var headline in document.Result.Headlines)
            output.WriteLine($"{headline.Name}: {Table.Text(headline.Ours)}");
        Assert.NotEmpty(document.Result.Table.Rows);
        Assert.All(document.Result.Headlines, headline => Assert.True(headline.Ours is null || double.IsFinite(headline.Ours.Value), headline.Name));
        Assert.NotEmpty(Markdown.Of(document, "data.csv"));
        Assert.Equal(document.Result.Plots.Count, document.Result.Plots.Count(plot => Panels.Of(document.Result.Table, plot).Count > 0));
    }
}
