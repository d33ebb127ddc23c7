using Stout.Director.Models;
using Stout.Director.Simulation.Training;
using Stout.Director.Tool.Commands;

namespace Stout.Director.Tests.Tool;

/// <summary>Models from measurements of a real cluster.</summary>
public sealed class TelemetryTests : IDisposable
{
    private static readonly string[] Loads = ["500,25,0.001", "800,40,0.008", "1200,60,0.06", "400,400,0.004", "700,700,0.3"];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-director-");

    [Fact]
    public void Telemetry_with_latencies_makes_a_model_for_the_flow_simulation()
    {
        var model = Train("gets,puts,slow,10,100,200", [.. Loads.Zip(["0.3,0.001,0", "0.5,0.008,0.001", "0.8,0.06,0.02", "0.4,0.004,0", "0.9,0.3,0.1"], (load, latencies) => $"{load},{latencies}")]);
        Assert.Equal([0.01, 0.1, 0.2], model.Latencies!.Thresholds);
        Assert.InRange(model.Type.SteadyState.Capacity(0.95), 840, 1_260);
        Assert.True(Capacity("95 % of reads under 100 ms, over 1 min") > Capacity("99.5 % of reads under 100 ms, over 1 min"));

        double Capacity(string objective) => model.For(ServiceObjective.Parse(objective)).Type.SteadyState.Capacity(0.95);
    }

    [Fact]
    public void Telemetry_without_latencies_makes_a_model_for_decisions_alone()
    {
        var model = Train("gets,puts,slow", Loads);
        Assert.Null(model.Latencies);
        Assert.Throws<ModelException>(() => model.Physics());
    }

    [Theory]
    [InlineData("gets,slow", "1,2")]
    [InlineData("gets,puts,slow,fast", "1,2,0,0")]
    [InlineData("gets,puts,slow", "1,2")]
    [InlineData("gets,puts,slow", "1,-2,0")]
    [InlineData("gets,puts,slow", "1,2,many")]
    [InlineData("gets,puts,slow", "500,10,0.001")]
    [InlineData("gets,puts,slow,100", "500,25,0.001,0.001", "800,40,0.008,7", "1200,60,0.06,0.06", "400,400,0.004,0.004", "700,700,0.3,0.3")]
    public void Files_of_another_form_are_typed_errors(string header, params string[] rows) => Assert.Throws<ModelException>(() => Train(header, rows));

    public void Dispose() => _folder.Delete(recursive: true);

    private ModelFile Train(string header, params string[] rows)
    {
        var file = Path.Combine(_folder.FullName, "telemetry.csv");
        File.WriteAllLines(file, [header, .. rows]);
        return Telemetry.Train("m1.real", new FileInfo(file), null, 2, new TrainingSettings());
    }
}
