using Stout.Director.Layouts;

namespace Stout.Director.Simulation.Clusters;

/// <summary>A running copy, which transfers its bins one after another.</summary>
internal sealed class SimulatedCopy(long action, long epoch, SimulatedServer from, SimulatedServer to, IEnumerable<int> bins, double rate, double noise)
{
    public long Action => action;

    public long Epoch => epoch;

    public SimulatedServer From => from;

    public SimulatedServer To => to;

    public double Rate => rate;

    /// <summary>The random factor of the copy's rate.</summary>
    public double Noise => noise;

    public Queue<int> Bins { get; } = new(bins);

    /// <summary>The bytes of the first unfinished bin that have been transferred.</summary>
    public double Done { get; set; }

    public RunningCopy State() => new(action, from.Id, to.Id, [.. Bins]);
}
