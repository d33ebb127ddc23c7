using Stout.SqlServer.Client;
using Stout.SqlServer.Setup;
using Stout.Storage;

namespace Stout.SqlServer;

/// <summary>
/// Stores objects in SQL Server or Azure SQL. Each store partition is a database; each batch is one transaction and one round trip.
/// </summary>
public sealed class SqlServerStorage : IStorageProxy
{
    private readonly SqlServerOptions _options;
    private readonly TimeProvider _time;
    private readonly List<SqlServerPartition> _partitions = [];
    private readonly StoreLifetime _lifetime = new();

    /// <summary>Creates the store for the databases that the options name, without connecting.</summary>
    /// <param name="options">The location and use of the databases. Later changes have no effect.</param>
    /// <param name="timeProvider">The clock of deletion times and sweeps; default: the system's.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public SqlServerStorage(SqlServerOptions options, TimeProvider? timeProvider = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options.Copy();
        _time = timeProvider ?? TimeProvider.System;
        Limits = SqlServerLimits.For(_options);
        Capabilities = new StorageCapabilities
        {
            Durable = true, AtomicBatches = true, Claims = true, WarmsUp = true, Shared = true, RaisesEpochs = true, Lists = true,
            EncryptsTransport = _options.ConnectionStrings.All(Encryption.IsRequired),
        };
    }

    /// <summary>Creates the store for one database with default options, without connecting.</summary>
    /// <param name="connectionString">A connection string of Microsoft.Data.SqlClient.</param>
    /// <exception cref="InvalidOptionException">The string is invalid, or names no server.</exception>
    public SqlServerStorage(string connectionString)
        : this(new SqlServerOptions { ConnectionStrings = [connectionString] })
    {
    }

    /// <inheritdoc/>
    public StorageCapabilities Capabilities { get; }

    /// <inheritdoc/>
    public StorageLimits Limits { get; }

    /// <summary>Creates missing parts of the schema, if the options allow it, and checks that the databases are one complete set.</summary>
    /// <returns>The store partitions, in the order of their slots.</returns>
    /// <exception cref="StoreException">The databases cannot be used. <see cref="StoreErrorKind.Unreachable"/>: a server cannot be reached.
    /// <see cref="StoreErrorKind.LayoutMismatch"/>: a database is missing or not set up, or belongs to another set or number of partitions.
    /// <see cref="StoreErrorKind.Refused"/>: the server refuses the client or would lose acknowledged writes, or this instance has been opened
    /// before.</exception>
    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        _lifetime.Open();
        List<Database> databases = [.. _options.ConnectionStrings.Select(connectionString => new Database(connectionString, _options))];
        await SetSetup.RunAsync(databases, _options, cancellationToken).ConfigureAwait(false);
        _partitions.AddRange(databases.Select(database => new SqlServerPartition(database, _options, _time)));
        return _partitions;
    }

    /// <summary>Stops sweeping. SqlClient's pool keeps the connections.</summary>
    public ValueTask DisposeAsync() => _lifetime.CloseAsync(() => Task.WhenAll(_partitions.Select(static partition => partition.DisposeAsync().AsTask())));
}
