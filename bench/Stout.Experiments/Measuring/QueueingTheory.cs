namespace Stout.Experiments.Measuring;

/// <summary>Exact mean waiting times before service, for Poisson arrivals.</summary>
internal static class QueueingTheory
{
    /// <summary>One server, constant service (Pollaczek and Khinchine).</summary>
    /// <param name="load">Share of its time that the server is busy; below 1.</param>
    /// <param name="service">The service time; the wait has its unit.</param>
    public static double MeanWaitOfMD1(double load, double service) => load * service / (2 * (1 - load));

    /// <summary>Several servers, exponential service (Erlang C).</summary>
    /// <param name="servers">The number of servers.</param>
    /// <param name="load">Share of its time that each server is busy; below 1.</param>
    /// <param name="service">The mean service time; the wait has its unit.</param>
    public static double MeanWaitOfMMc(int servers, double load, double service)
    {
        var offered = servers * load;
        // Computes Erlang B by its recursion, and from it Erlang C: the chance that all servers are busy.
        var blocked = 1.0;
        for (var i = 1; i <= servers; i++)
            blocked = offered * blocked / (i + (offered * blocked));
        var busy = blocked / (1 - (load * (1 - blocked)));
        return busy * service / (servers * (1 - load));
    }
}
