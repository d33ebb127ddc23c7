using Stout.Experiments.Argon.Simulation;

namespace Stout.Experiments.Argon.Figures;

/// <summary>One setting of the server over several values: the least value that reaches R, beside the engine's own.</summary>
/// <param name="Name">The name on the command line.</param>
/// <param name="Unit">The unit of the values.</param>
/// <param name="Figure">The services and the server.</param>
/// <param name="Values">The values, ascending.</param>
/// <param name="Set">The server with a value.</param>
/// <param name="Computed">The engine's own value.</param>
internal sealed record Sweep(string Name, string Unit, MixFigure Figure, IReadOnlyList<double> Values, Func<SimulatedServer, double, SimulatedServer> Set, Func<SimulatedServer, double> Computed)
{
    /// <summary>
    /// The factors by which each value is also tried. On the model all accesses of one size meet the same rotational latency, and near sizes another; a
    /// mean over them is nearer to a disk.
    /// </summary>
    public IReadOnlyList<double> Around { get; init; } = [1];

    /// <summary>For each value the fractions of share × alone that the services keep.</summary>
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
