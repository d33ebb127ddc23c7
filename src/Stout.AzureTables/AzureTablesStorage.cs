using Azure.Data.Tables;
using Stout.AzureTables.Service;
using Stout.AzureTables.Setup;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>
/// Stores objects in Azure Tables. A store partition is one table partition. A batch is committed in entity group transactions: a single one up to
/// 100 rows and 4 MiB.
/// </summary>
/// <remarks>Several clients can have the same tables open. The service acknowledges writes after storing them in three places.</remarks>
public sealed class AzureTablesStorage : IStorageProxy
{
    private readonly AzureTablesOptions _options;
    private readonly TimeProvider _time;
    private readonly List<TableServiceClient> _accounts;
    private readonly List<AzureTablesPartition> _partitions = [];
    private readonly StoreLifetime _lifetime = new();

    /// <summary>Creates the store for the accounts that the options name, without connecting.</summary>
    /// <param name="options">The location and use of the partitions. Later changes of the record have no effect.</param>
    /// <param name="timeProvider">The clock of deletions and time limits; default: the system's.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public AzureTablesStorage(AzureTablesOptions options, TimeProvider? timeProvider = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options.Copy();
        _time = timeProvider ?? TimeProvider.System;
        _accounts = [.. _options.Accounts.Select(account => TableAccount.Connect(account, _options.Credential, _options.Transport))];
        var isEmulator = _accounts.Exists(static account => account.IsEmulator());
        Limits = AzureTablesLimits.For(_options, isEmulator);

        // The emulator acknowledges a write seconds before the write is on its disk.
        Capabilities = new() { Durable = !isEmulator, AtomicBatches = false, Claims = true, Shared = true, RaisesEpochs = true, Lists = true, EncryptsTransport = _accounts.TrueForAll(static account => account.IsEncrypted()) };
    }

    /// <summary>Creates the store for one account with default options, without connecting.</summary>
    /// <param name="account">A connection string, or an address with a shared access signature.</param>
    /// <exception cref="InvalidOptionException">The text is neither a valid connection string nor such an address.</exception>
    public AzureTablesStorage(string account)
        : this(new AzureTablesOptions { Accounts = [account] })
    {
    }

    /// <inheritdoc/>
    public StorageCapabilities Capabilities { get; }

    /// <inheritdoc/>
    public StorageLimits Limits { get; }

    /// <summary>
    /// Creates a missing table, if the options allow it, marks the partitions of a new set, and checks that all partitions are one complete set.
    /// </summary>
    /// <returns>The store partitions, in the order of their slots.</returns>
    /// <exception cref="StoreException">The partitions cannot be used. <see cref="StoreErrorKind.LayoutMismatch"/>: the table or a partition is
    /// missing, or belongs to another set, number of partitions or version. <see cref="StoreErrorKind.Refused"/>: the credentials are insufficient,
    /// or this instance has been opened before. Other kinds: the account is unreachable, overloaded or silent.</exception>
    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        _lifetime.Open();
        List<PartitionTable> tables = [.. Enumerable.Range(0, _options.Partitions).Select(Table)];
        if (_options.CreateMissing)
        {
            for (var i = 0; i < tables.Count; i += _options.PartitionsPerAccount)
                await tables[i].CreateTableAsync(cancellationToken).ConfigureAwait(false);
        }

        PartitionSetup[] setups = [.. tables.Select(static (table, i) => new PartitionSetup(table, i))];
        await PartitionSet.SetUpAsync(Layout.Id, Layout.Version, setups, cancellationToken).ConfigureAwait(false);
        _partitions.AddRange(tables.Select(table => new AzureTablesPartition(table, _options, Limits, _time)));
        return _partitions;

        PartitionTable Table(int index)
        {
            var account = _accounts[index / _options.PartitionsPerAccount];
            return new(account.GetTableClient(_options.Table), account.Uri, index, new StoreCalls(_options.Calls, AzureTablesErrors.Classify, _time));
        }
    }

    /// <summary>Stops the sweepers.</summary>
    public ValueTask DisposeAsync() => _lifetime.CloseAsync(() => Task.WhenAll(_partitions.Select(static partition => partition.DisposeAsync().AsTask())));
}
