namespace Stout.Storage;

/// <summary>Ensures that a proxy is opened once and closed once, for any number and order of calls.</summary>
public sealed class StoreLifetime
{
    private readonly Lock _lock = new();
    private bool _isOpened;
    private Task? _closed;

    /// <summary>Records the opening, which is allowed only once.</summary>
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

    /// <summary>Closes the proxy at the first call. Later calls complete when the first one does.</summary>
    /// <param name="close">Closes the proxy. Called once; it must return soon.</param>
    public ValueTask CloseAsync(Func<Task> close)
    {
        ArgumentNullException.ThrowIfNull(close);
        lock (_lock)
            return new ValueTask(_closed ??= close());
    }
}
