namespace Stout.Director.Tool.Fitting;

/// <summary>
/// The latency of a server with several slots: the time without a queue, as measured at low load, plus a wait. The wait's probability is Erlang's C, and its length
/// is exponential.
/// </summary>
/// <param name="Saturation">The load in reads per second at which the queue grows without bound.</param>
/// <param name="Slots">The number of requests that are served at once.</param>
/// <param name="Steadiness">The rate at which a wait ends, relative to that of exponential service times: 2 for constant service times.</param>
/// <param name="Bounds">Upper bounds of buckets in seconds.</param>
/// <param name="Idle">For each bucket, and those slower than all: the share of reads without a queue.</param>
internal sealed record QueueCurve(double Saturation, int Slots, double Steadiness, IReadOnlyList<double> Bounds, double[] Idle)
{
    /// <summary>The share of reads slower than each bound, at a load in reads per second.</summary>
    public double[] Slow(double load)
    {
        var slow = new double[Bounds.Count];
        if (load >= Saturation)
        {
            Array.Fill(slow, 1);
            return slow;
        }

        var waiting = ErlangC(Slots, load / Saturation);
        var rate = Steadiness * (Saturation - load);
        for (var i = 0; i < slow.Length; i++)
        {
            var sum = 0.0;
            for (var j = 0; j < Idle.Length; j++)
                sum += Idle[j] * (j > i ? 1 : waiting * Math.Exp(-rate * (Bounds[i] - Middle(j))));
            slow[i] = Math.Min(sum, 1);
        }

        return slow;
    }

    // The middle of a bucket stands for the times in it.
    private double Middle(int bucket) => ((bucket == 0 ? 0 : Bounds[bucket - 1]) + Bounds[bucket]) / 2;

    /// <summary>The probability that a request waits for one of several slots (Erlang's C).</summary>
    /// <param name="slots">The number of slots.</param>
    /// <param name="utilization">Their utilization, from 0 to below 1.</param>
    public static double ErlangC(int slots, double utilization)
    {
        // Erlang's B by its recursion, and C from it.
        var offered = slots * utilization;
        var blocked = 1.0;
        for (var k = 1; k <= slots; k++)
            blocked = offered * blocked / (k + offered * blocked);
        return blocked / (1 - utilization * (1 - blocked));
    }
}
