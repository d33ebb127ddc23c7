using Stout.Experiments.Experiments;

namespace Stout.Experiments.Tests.Experiments;

/// <summary>The names of experiments on the command line.</summary>
public sealed class CommandTests
{
    [Fact]
    public void Several_experiments_are_all_run_each_once_in_the_order_named()
    {
        var chosen = Parse("table1", "verify", "table1");

        Assert.Equal(["table1", "verify"], chosen.Select(experiment => experiment.Name));
    }

    [Fact]
    public void All_means_all()
    {
        Assert.Equal(Catalogue.All, Parse("all"));
    }

    [Theory]
    [InlineData("nosuch")]
    [InlineData("table1", "nosuch")]
    public void Unknown_one_is_named_with_those_there_are(params string[] names)
    {
        var error = Assert.Single(ExperimentsCommand.Create().Parse(names).Errors);

        Assert.StartsWith("\"nosuch\" is none of verify, table1,", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Less_than_one_round_is_none()
    {
        var error = Assert.Single(ExperimentsCommand.Create().Parse(["fig8", "--rounds", "0"]).Errors);

        Assert.Equal("--rounds is at least 1.", error.Message);
    }

    private static IReadOnlyList<IExperiment> Parse(params string[] names) => ExperimentsCommand.Create().Parse(names).GetRequiredValue<IReadOnlyList<IExperiment>>("experiment");
}
