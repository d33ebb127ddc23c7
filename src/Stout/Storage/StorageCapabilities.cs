namespace Stout.Storage;

/// <summary>What a store can do.</summary>
public sealed record StorageCapabilities
{
    /// <summary>Whether what it acknowledges survives the death of process, store and machine.</summary>
    public bool Durable { get; init; } = true;

    /// <summary>
    /// Whether all keys of one batch commit in one transaction (each key's own changes always do), unless the store refuses one of them or
    /// something holds one.
    /// </summary>
    public bool AtomicBatches { get; init; }

    /// <summary>Whether a key can be claimed for a larger epoch.</summary>
    public bool Claims { get; init; } = true;

    /// <summary>Whether a connection's first requests take much longer than later ones: then opening makes a few of each kind.</summary>
    public bool WarmsUp { get; init; }

    /// <summary>
    /// Whether everything that leaves this machine is encrypted on its way. A client whose store does not say so logs a warning when it is opened.
    /// </summary>
    public bool EncryptsTransport { get; init; } = true;

    /// <summary>Whether it can list keys (<see cref="IStorePartition.ListAsync"/>).</summary>
    public bool Lists { get; init; }

    /// <summary>Whether several clients, in processes or machines of their own, can have the store open at once.</summary>
    public bool Shared { get; init; } = true;
}
