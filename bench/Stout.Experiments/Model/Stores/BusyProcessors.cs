namespace Stout.Experiments.Model.Stores;

/// <summary>
/// A store whose processors other programs use from a time on. Then a share of the answers comes later by a scheduling delay, however many requests there
/// are.
/// </summary>
/// <param name="store">The store.</param>
/// <param name="from">When the other programs begin.</param>
/// <param name="share">Share of the answers that are delayed.</param>
/// <param name="random">The store's random numbers.</param>
internal sealed class BusyProcessors(IStoreModel store, TimeSpan from, double share, Random random) : IStoreModel
{
    // The range of a scheduling delay, in milliseconds: that of the time slices of schedulers.
    private const double LeastDelay = 4;
    private const double MostDelay = 40;

    public StoreAnswer Take(TimeSpan arrival, int operations, int connection)
    {
        var answer = store.Take(arrival, operations, connection);
        if (arrival < from || random.NextDouble() >= share)
            return answer;
        return answer with { At = answer.At + TimeSpan.FromMilliseconds(LeastDelay * Math.Pow(MostDelay / LeastDelay, random.NextDouble())) };
    }
}
