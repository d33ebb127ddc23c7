namespace Stout.Experiments.Model.Stores;

/// <summary>
/// A store that refuses operations beyond a rate, and names the delay until the next attempt. The allowance of one second can be saved up. It serves
/// accepted operations without a queue, so its latency does not show its load.
/// </summary>
internal sealed class RateCap : IStoreModel
{
    private readonly double _perSecond;
    private readonly ServiceTime _service;
    private readonly StoreSpeed _speed;
    private double _saved;
    private TimeSpan _countedAt;

    public RateCap(double operationsPerSecond, ServiceTime service, StoreSpeed speed)
    {
        _perSecond = _saved = operationsPerSecond;
        _service = service;
        _speed = speed;
    }

    public StoreAnswer Take(TimeSpan arrival, int operations, int connection)
    {
        _saved = Math.Min(_perSecond, _saved + ((arrival - _countedAt).TotalSeconds * _perSecond));
        _countedAt = arrival;
        // A request larger than the full allowance would never be accepted, so it costs the full allowance.
        var cost = Math.Min(operations, _perSecond);
        if (cost > _saved)
            return new StoreAnswer(arrival, TimeSpan.FromSeconds((cost - _saved) / _perSecond));
        _saved -= cost;
        return new StoreAnswer(_speed.Finish(arrival, _service.Of(operations)));
    }
}
