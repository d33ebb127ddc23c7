using Stout.Experiments.Argon.Simulation;

namespace Stout.Experiments.Argon.Figures;

/// <summary>One setting of the server over several values: where R is reached first, beside what the engine computes.</summary>
/// <param name="Name">What to ask for on the command line.</param>
/// <param name="Unit">The unit of the values.</param>
/// <param name="Figure">The services and the server.</param>
/// <param name="Values">The values, ascending.</param>
/// <param name="Set">The server with a value.</param>
/// <param name="Computed">What the engine computes by itself.</param>
internal sealed record Sweep(string Name, string Unit, MixFigure Figure, IReadOnlyList<double> Values, Func<SimulatedServer, double, SimulatedServer> Set, Func<SimulatedServer, double> Computed)
{
    /// <summary>For each value the least fraction of its share that a service keeps.</summary>
    public IReadOnlyList<SweepPoint> Run()
    {
        var alone = Figure.Services.Select(service => MixFigure.Alone(Figure.Server, service).Throughput).ToList();
        return [.. Values.Select(value => new SweepPoint(value, Least(SimulatedRun.Of(Set(Figure.Server, value), Figure.Services), alone)))];
    }

    private double Least(IReadOnlyList<ServiceFigures> figures, List<double> alone) =>
        Enumerable.Range(0, alone.Count).Min(i => figures[i].Throughput / alone[i] / Figure.Share(i));
}
