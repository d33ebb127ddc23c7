namespace Stout.Director.Tool.Fitting;

/// <summary>One server's visits and latency in one step.</summary>
/// <param name="Reads">Reads per second.</param>
/// <param name="Writes">Writes per second.</param>
/// <param name="Slow">For each bucket's upper bound: the share of slower reads.</param>
/// <param name="Servers">The number of servers of which this is the mean.</param>
internal sealed record LoadSampleOfServer(double Reads, double Writes, double[] Slow, double Servers)
{
    /// <summary>The load in reads per second.</summary>
    /// <param name="writeCost">The cost of a write relative to that of a read.</param>
    public double Load(double writeCost) => Reads + writeCost * Writes;
}
