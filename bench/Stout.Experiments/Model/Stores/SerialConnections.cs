namespace Stout.Experiments.Model.Stores;

/// <summary>
/// A store without batches and without pipelining, like the paper's SQL Data Services (section 5.6). Each connection serves one operation after the other,
/// independently of the other connections.
/// </summary>
internal sealed class SerialConnections(int connections, ServiceTime service, StoreSpeed speed) : IStoreModel
{
    private readonly TimeSpan[] _freeAt = new TimeSpan[connections];

    public StoreAnswer Take(TimeSpan arrival, int operations, int connection)
    {
        ref var freeAt = ref _freeAt[connection];
        if (arrival > freeAt)
            freeAt = arrival;
        for (var i = 0; i < operations; i++)
            freeAt = speed.Finish(freeAt, service.Of(1));
        return new StoreAnswer(freeAt);
    }
}
