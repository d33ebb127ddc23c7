using Stout.Director.Recordings;
using Stout.Director.Simulation.Training;
using Stout.Director.Tool.WhatIf;

namespace Stout.Director.Tests.Tool;

/// <summary>A comparison simulates alternatives on a recording.</summary>
public sealed class ComparisonTests
{
    [Fact]
    public void A_recorded_Director_that_only_observed_acts_in_the_comparison()
    {
        using var stream = new MemoryStream();
        using (var writer = new RecordingWriter(stream, Some.Settings(2, Some.Plain with { Mode = DirectorMode.Observe })))
        {
            writer.Began(TimeSpan.Zero, 1, []);
            for (var plan = 1; plan <= 9; plan++)
                writer.Planned(TimeSpan.FromSeconds(20 * plan), Some.Cluster(2, [[1, 2], [1, 2]], plan < 4 ? [400, 400] : [900, 900], sequence: plan));
        }

        stream.Position = 0;
        var recording = Recording.Read(stream);
        var comparison = Comparison.Make(recording, ServiceObjective.Paper, [TrainedModels.SmallInstance with { Type = Some.Type }], 1, new Progress<double>(), TestContext.Current.CancellationToken);
        Assert.True(comparison.Rows[0].Result.Leases > 0);
    }
}
