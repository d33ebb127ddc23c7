using Stout.Director.Simulation.Workloads;
using Stout.Tests;

namespace Stout.Director.Tests;

/// <summary>Objectives, loads and their messages are the same under every culture.</summary>
public sealed class CultureTests
{
    [Theory]
    [MemberData(nameof(Cultures.Names), MemberType = typeof(Cultures))]
    public Task Objectives_and_loads_mean_the_same(string culture) => Cultures.UnderAsync(culture, () =>
    {
        var objective = ServiceObjective.Parse("99.9 % of reads under 1.5 s, over 90 s");
        Assert.Equal((99.9, 1.5), (objective.Percentile, objective.Threshold.TotalSeconds));
        Assert.Equal("99.9 % of reads under 1.5 s, over 1.5 min", objective.ToString());

        var load = LoadTrace.Read(new StringReader("minute,requests\n1998-04-30 21:30:00,1.5\n1998-04-30 21:31:00,2\n"));
        Assert.Equal((1998, 2), (load.First.Year, load.Minutes));
        var error = Assert.Throws<LoadFileException>(
            () => LoadTrace.Read(new StringReader("minute,requests\n1998-04-30 21:30:00,1\n1998-04-30 21:29:00,2\n")));
        Assert.Equal("Line 3 is for 1998-04-30 21:29:00; after the line before, 1998-04-30 21:31:00 or a little later is expected.", error.Message);
        return Task.CompletedTask;
    });
}
