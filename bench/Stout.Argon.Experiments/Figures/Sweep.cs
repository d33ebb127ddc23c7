using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Figures;

/// <summary>
/// Runs a figure with several values of one setting, to compare the least value that reaches R (<c>ArgonOptions.Insulation</c>) with the value that the engine
/// computes.
/// </summary>
/// <param name="Name">The name on the command line.</param>
/// <param name="Unit">The unit of the values.</param>
/// <param name="Figure">The services and the server.</param>
/// <param name="Values">The values, ascending.</param>
/// <param name="Set">Returns the server with a value of the setting.</param>
/// <param name="Computed">Returns the value that the engine computes.</param>
internal sealed record Sweep(string Name, string Unit, MixFigure Figure, IReadOnlyList<double> Values, Func<SimulatedServer, double, SimulatedServer> Set, Func<SimulatedServer, double> Computed)
{
    /// <summary>
    /// The factors that multiply each value; the fractions of a value are means over them. On the model all accesses of one size have the same rotational
    /// latency, and those of a similar size have another. A mean over several sizes is closer to a real disk.
    /// </summary>
    public IReadOnlyList<double> Around { get; init; } = [1];

    /// <summary>Runs the figure with each value. Returns the fractions of their share × their throughput alone that the services keep.</summary>
    public IReadOnlyList<SweepPoint> Run()
    {
        var alone = Figure.Services.Select(service => MixFigure.Alone(Figure.Server, service).Throughput).ToList();
        return [.. Values.Select(value => Point(value, alone))];
    }

    private SweepPoint Point(double value, List<double> alone)
    {
        var fractions = Around.Select(factor => SimulatedRun.Of(Set(Figure.Server, factor * value), Figure.Services))
            .SelectMany(figures => alone.Select((each, i) => (Service: i, Fraction: figures[i].Throughput / each / Figure.Share(i))))
            .GroupBy(each => each.Service, each => each.Fraction, (_, each) => each.Average()).ToList();
        return new SweepPoint(value, fractions.Min(), fractions.Average());
    }
}
