namespace Stout.Experiments.Model.Stores;

/// <summary>
/// A store as a process on a real machine meets it: a request after idle time takes several times as long, since caches are cold and threads asleep. And some
/// answers reach the process late, since it pauses.
/// </summary>
/// <param name="store">The store.</param>
/// <param name="idle">The time without a request after which the store is slower.</param>
/// <param name="times">The latency of a request after idle time, in usual ones.</param>
/// <param name="share">Share of the answers that meet a pause of the process.</param>
/// <param name="random">The store's random numbers.</param>
internal sealed class IdleSlowdown(IStoreModel store, TimeSpan idle, double times, double share, Random random) : IStoreModel
{
    // The range of a pause, in milliseconds.
    private const double LeastPause = 1;
    private const double MostPause = 20;

    private TimeSpan _busyUntil;

    public StoreAnswer Take(TimeSpan arrival, int operations, int connection)
    {
        var answer = store.Take(arrival, operations, connection);
        var at = answer.At;
        if (arrival - _busyUntil > idle)
            at += (times - 1) * (at - arrival);
        _busyUntil = at > _busyUntil ? at : _busyUntil;
        if (random.NextDouble() < share)
            at += TimeSpan.FromMilliseconds(LeastPause * Math.Pow(MostPause / LeastPause, random.NextDouble()));
        return answer with { At = at };
    }
}
