using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Figures;

/// <summary>The figures of one service among others, and alone on the same server.</summary>
internal sealed record MixRow(ServiceFigures Together, ServiceFigures Alone)
{
    /// <summary>The throughput among others as a fraction of that alone.</summary>
    public double Fraction => Together.Throughput / Alone.Throughput;
}
