using Stout.Storage;

namespace Stout.Testing.Tests.Broken;

/// <summary>The faults of a proxy. A fault that is not set does not occur.</summary>
internal sealed class BrokenPromise
{
    public Func<BrokenPartition, KeyWrite, PartWrite[], Task<WriteOutcome>> Write { get; init; } = (store, write, parts) => store.WriteAsync(write, parts);

    public Func<BrokenPartition, KeyRead, Task<ReadOutcome>> Read { get; init; } = (store, read) => store.ReadAsync(read);

    public Func<BrokenPartition, KeyListing, Task<KeyPage>> List { get; init; } = (store, listing) => store.ListAsync(listing);

    /// <summary>Whether a key of a batch is sent to the store. Other keys keep their outcome, or get <see cref="OutcomeOfUnsent"/>.</summary>
    public Func<WriteBatch, int, bool> Sends { get; init; } = (_, _) => true;

    public WriteOutcomeKind OutcomeOfUnsent { get; init; }

    public Action<WriteBatch> AfterWrites { get; init; } = _ => { };

    public Action<ReadBatch> AfterReads { get; init; } = _ => { };

    public Func<StorageLimits, StorageLimits> Limits { get; init; } = limits => limits;

    public Func<StorageCapabilities, StorageCapabilities> Capabilities { get; init; } = capabilities => capabilities;

    /// <summary>Called when the store is opened.</summary>
    public Action Opened { get; init; } = () => { };

    /// <summary>Replaces the sweep options that the proxy was given.</summary>
    public Func<StoreSweepOptions, StoreSweepOptions> Sweeping { get; init; } = sweeping => sweeping;

    /// <summary>Whether a sweep ends after one batch, even if garbage is left.</summary>
    public bool SweepsABatchAlone { get; init; }

    /// <summary>Whether the proxy reports no background jobs.</summary>
    public bool HidesFailingSweeps { get; init; }

    /// <summary>Whether a header is removed without raising the epoch floor.</summary>
    public bool RaisesNoFloor { get; init; }

    /// <summary>Whether a raised epoch floor is ignored.</summary>
    public bool RaisesNoEpochs { get; init; }

    /// <summary>Whether a claim of a key without an object fails to restart the retention of its header.</summary>
    public bool ClaimsKeepNoHeader { get; init; }

    /// <summary>Whether a long key is read from the header of another key.</summary>
    public bool ComparesNoKeys { get; init; }

    /// <summary>Whether a claim changes the owner of a header that keeps another key.</summary>
    public bool ClaimsBeforeItCompares { get; init; }

    public bool ForgetsAllAtClosing { get; init; }

    public StoreErrorKind? ReportsTroubleAs { get; init; }

    /// <summary>The exception that a cancelled write throws although it was applied.</summary>
    public Exception? ThrowsWhenCancelled { get; init; }
}

/// <summary>Names the tests of the suite that fail for a broken proxy.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class CaughtByAttribute(params string[] tests) : Attribute
{
    public IReadOnlyList<string> Tests => tests;
}
