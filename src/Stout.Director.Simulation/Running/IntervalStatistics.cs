namespace Stout.Director.Simulation.Running;

/// <summary>Latency and cost of one 20-second interval of a run.</summary>
public sealed class IntervalStatistics
{
    /// <summary>The number of gets of all clients.</summary>
    public double Gets { get; internal set; }

    /// <summary>The number of gets slower than the threshold.</summary>
    public double Slow { get; internal set; }

    /// <summary>Sum of the latencies of all gets in seconds; 0 in flow mode.</summary>
    public double LatencySum { get; internal set; }

    /// <summary>The 99th percentile of latency in seconds; 0 in flow mode.</summary>
    public double Tail { get; internal set; }

    /// <summary>The number of leased servers at the interval's end, booting ones included.</summary>
    public int Servers { get; internal set; }

    /// <summary>The largest number of replicas of a bin at the interval's end.</summary>
    public int MostReplicas { get; internal set; }

    /// <summary>The clients' requests per second at about the middle of the interval.</summary>
    public double Rate { get; internal set; }

    /// <summary>The share of slow gets, from 0 to 1.</summary>
    public double SlowShare => Gets > 0 ? Slow / Gets : 0;
}
