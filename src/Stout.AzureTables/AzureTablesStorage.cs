using Azure.Data.Tables;
using Stout.AzureTables.Service;
using Stout.AzureTables.Setup;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>
/// Keeps objects in Azure Tables. A store partition is one table partition; a batch is committed in entity group transactions, one if it has
/// no more than 100 rows and 4 MiB.
/// </summary>
/// <remarks>Several clients can have the same tables open. What the service acknowledges it has stored in three places.</remarks>
public sealed class AzureTablesStorage : IStorageProxy
{
    private readonly AzureTablesOptions _options;
    private readonly TimeProvider _time;
    private readonly List<TableServiceClient> _accounts;
    private readonly List<AzureTablesPartition> _partitions = [];
    private readonly StoreLifetime _lifetime = new();

    /// <summary>Keeps objects where the options say. Nothing is sent yet.</summary>
    /// <param name="options">Where the partitions are and how they are used. Later changes of the record have no effect.</param>
    /// <param name="timeProvider">Says when keys were deleted, and what time limits go by; default: the system's clock.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public AzureTablesStorage(AzureTablesOptions options, TimeProvider? timeProvider = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options with { Accounts = [.. options.Accounts], Calls = options.Calls with { }, Sweeping = options.Sweeping with { } };
        _time = timeProvider ?? TimeProvider.System;
        _accounts = [.. _options.Accounts.Select(account => TableAccount.Connect(account, _options.Credential, _options.Transport))];
        var isEmulator = _accounts.Exists(static account => account.IsEmulator());
        Limits = AzureTablesLimits.For(_options, isEmulator);

        // The emulator acknowledges what it writes to its disk seconds later.
        Capabilities = new() { Durable = !isEmulator, AtomicBatches = false, Claims = true, Shared = true, Lists = true, EncryptsTransport = _accounts.TrueForAll(static account => account.IsEncrypted()) };
    }

    /// <summary>Keeps objects in one account, with default options. Nothing is sent yet.</summary>
    /// <param name="account">A connection string, or an address with a shared access signature.</param>
    /// <exception cref="InvalidOptionException">It is neither.</exception>
    public AzureTablesStorage(string account)
        : this(new AzureTablesOptions { Accounts = [account] })
    {
    }

    /// <inheritdoc/>
    public StorageCapabilities Capabilities { get; }

    /// <inheritdoc/>
    public StorageLimits Limits { get; }

    /// <summary>
    /// Makes the table where it is missing (unless the options say that a person does), marks its partitions if the set is new, and checks
    /// that they are one whole set.
    /// </summary>
    /// <returns>The store partitions, in the order of their slots.</returns>
    /// <exception cref="StoreException">
    /// They can't be used: <see cref="StoreErrorKind.LayoutMismatch"/>, the table or a partition of the set is missing, or belongs to another set,
    /// number of partitions or version; <see cref="StoreErrorKind.Refused"/>, the credentials don't allow it, or this instance has been opened
    /// before; or the account can't be reached, is overloaded, or does not answer.
    /// </exception>
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

    /// <summary>Ends the sweepers.</summary>
    public ValueTask DisposeAsync() => _lifetime.CloseAsync(() => Task.WhenAll(_partitions.Select(static partition => partition.DisposeAsync().AsTask())));
}
