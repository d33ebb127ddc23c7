namespace Stout.Experiments.Model.Stores;

/// <summary>Workers with one queue, then a flush of the log where there is one, then a network whose time varies.</summary>
internal sealed class DrawnStore(Servers workers, FlushSchedule? flush, TimeSpan meanNetwork, Func<double> network) : IStoreModel
{
    public StoreAnswer Take(TimeSpan arrival, int operations, int connection)
    {
        var ready = workers.Take(arrival, operations, connection).At;
        return new StoreAnswer((flush?.End(arrival, ready) ?? ready) + (meanNetwork * network()));
    }
}
