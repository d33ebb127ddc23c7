namespace Stout.Experiments.Model.Stores;

/// <summary>Servers with one queue, first come first served: one server as in our model of the paper's store, or several side by side.</summary>
internal sealed class Servers : IStoreModel
{
    private readonly ServiceTime _service;
    private readonly StoreSpeed _speed;
    private readonly TimeSpan[] _freeAt;

    public Servers(int count, ServiceTime service, StoreSpeed speed)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        _service = service;
        _speed = speed;
        _freeAt = new TimeSpan[count];
    }

    public StoreAnswer Take(TimeSpan arrival, int operations, int connection)
    {
        ref var freeAt = ref FirstFree();
        var start = arrival > freeAt ? arrival : freeAt;
        freeAt = _speed.Finish(start, _service.Of(operations));
        return new StoreAnswer(freeAt);
    }

    private ref TimeSpan FirstFree()
    {
        var first = 0;
        for (var i = 1; i < _freeAt.Length; i++)
        {
            if (_freeAt[i] < _freeAt[first])
                first = i;
        }

        return ref _freeAt[first];
    }
}
