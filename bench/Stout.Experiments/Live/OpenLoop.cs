using Stout.Experiments.Workloads;

namespace Stout.Experiments.Live;

/// <summary>
/// Clients that wait for no reply: sends each request when it is due, however slow the service is. Those of one millisecond go together,
/// so that sending them costs little beside the service that is measured.
/// </summary>
/// <param name="arrivals">When requests are due.</param>
/// <param name="ask">Sends one; its argument is the intended start.</param>
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
