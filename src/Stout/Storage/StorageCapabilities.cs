namespace Stout.Storage;

/// <summary>The capabilities of a store.</summary>
public sealed record StorageCapabilities
{
    /// <summary>Whether acknowledged writes survive the death of the process, of the store and of the machine.</summary>
    public bool Durable { get; init; } = true;

    /// <summary>
    /// Whether all keys of one batch commit in one transaction, unless the store refuses a key or a key is busy. The changes of a single key always
    /// commit together.
    /// </summary>
    public bool AtomicBatches { get; init; }

    /// <summary>Whether the store keeps an owner for each key, so that keys can be claimed.</summary>
    public bool Claims { get; init; } = true;

    /// <summary>Whether the store's epoch floor can be raised (<see cref="IStorePartition.RaiseEpochFloorAsync"/>). Default: false.</summary>
    public bool RaisesEpochs { get; init; }

    /// <summary>
    /// Whether a connection's first requests are much slower than later ones. If so, the client makes a few requests of each kind when it opens the store.
    /// </summary>
    public bool WarmsUp { get; init; }

    /// <summary>Whether all data is encrypted on its way to another machine. If not, the client logs a warning when it opens the store.</summary>
    public bool EncryptsTransport { get; init; } = true;

    /// <summary>Whether the store can list keys (<see cref="IStorePartition.ListAsync"/>).</summary>
    public bool Lists { get; init; }

    /// <summary>Whether several clients, in different processes or machines, can have the store open at once.</summary>
    public bool Shared { get; init; } = true;
}
