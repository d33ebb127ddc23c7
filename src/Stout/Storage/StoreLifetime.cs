namespace Stout.Storage;

/// <summary>Opens a proxy once and closes it once, for proxies, whatever the number and order of the calls.</summary>
public sealed class StoreLifetime
{
    private readonly Lock _lock = new();
    private bool _isOpened;
    private Task? _closed;

    /// <summary>Begins the only opening.</summary>
    /// <exception cref="StoreException"><see cref="StoreErrorKind.Refused"/>: the proxy has been opened or closed before.</exception>
    public void Open()
    {
        lock (_lock)
        {
            if (_isOpened || _closed is not null)
                throw new StoreException(StoreErrorKind.Refused, "The store has been opened or closed before; make another instance.");
            _isOpened = true;
        }
    }

    /// <summary>Closes the proxy at the first call. A later call ends with the first.</summary>
    /// <param name="close">Closes the proxy. It is called at the first call alone, and has to return soon.</param>
    public ValueTask CloseAsync(Func<Task> close)
    {
        ArgumentNullException.ThrowIfNull(close);
        lock (_lock)
            return new ValueTask(_closed ??= close());
    }
}
