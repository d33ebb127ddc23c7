using Stout.Experiments.Workloads;

namespace Stout.Experiments.Live;

/// <summary>
/// Clients that wait for no reply: each request is sent when it is due, however slow the service is. The requests of one millisecond are sent together, so
/// that sending costs little compared with the measured service.
/// </summary>
/// <param name="arrivals">The times at which requests are due.</param>
/// <param name="ask">Sends a request; the argument is its intended start.</param>
internal sealed class OpenLoop(PoissonArrivals arrivals, Action<TimeSpan> ask)
{
    private TimeSpan _next = arrivals.Next();

    /// <summary>Sends everything that is due.</summary>
    public void Advance(TimeSpan now)
    {
        for (; _next <= now; _next = arrivals.Next())
            ask(ClientThread.StartOf(_next, now));
    }
}
