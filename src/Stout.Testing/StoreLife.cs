namespace Stout.Testing;

/// <summary>Tracks whether the store is alive. Each life has a token, which is cancelled at its end.</summary>
internal sealed class StoreLife(TimeProvider time) : IDisposable
{
    private readonly Lock _lock = new();
    private CancellationTokenSource _life = new();
    private long _diedAt;
    private TimeSpan? _downTime;

    public bool IsDead => Current is null;

    /// <summary>The token of the present life; null while the store is dead.</summary>
    public CancellationToken? Current
    {
        get
        {
            lock (_lock)
            {
                if (_life.IsCancellationRequested && time.GetElapsedTime(_diedAt) >= _downTime)
                    _life = new CancellationTokenSource();
                return _life.IsCancellationRequested ? null : _life.Token;
            }
        }
    }

    /// <summary>Ends the present life.</summary>
    /// <param name="downTime">The time until the next life begins; null if only <see cref="Revive"/> begins it.</param>
    public void Die(TimeSpan? downTime)
    {
        CancellationTokenSource life;
        lock (_lock)
        {
            if (_life.IsCancellationRequested)
                return;
            _diedAt = time.GetTimestamp();
            _downTime = downTime;
            life = _life;
        }

        // Outside the lock, since cancelling runs the waiters' code.
        life.Cancel();
    }

    public void Revive()
    {
        lock (_lock)
        {
            if (_life.IsCancellationRequested)
                _life = new CancellationTokenSource();
        }
    }

    public void Dispose()
    {
        lock (_lock)
            _life.Dispose();
    }
}
