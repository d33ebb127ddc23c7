namespace Stout.Experiments.Model.Stores;

/// <summary>
/// A store drawn at random. A request passes workers with one queue, then a flush of the log if there is a log, and then a network whose delay varies.
/// </summary>
internal sealed class DrawnStore(Servers workers, FlushSchedule? flush, TimeSpan meanNetwork, Func<double> network) : IStoreModel
{
    public StoreAnswer Take(TimeSpan arrival, int operations, int connection)
    {
        var ready = workers.Take(arrival, operations, connection).At;
        return new StoreAnswer((flush?.End(arrival, ready) ?? ready) + (meanNetwork * network()));
    }
}
