using Stout.Diagnostics;
using Stout.PostgreSql.Diagnostics;
using Stout.PostgreSql.Sessions;
using Stout.PostgreSql.Setup;
using Stout.Storage;

namespace Stout.PostgreSql;

/// <summary>
/// Stores objects in PostgreSQL databases, one for each store partition. Each batch is one round trip and one transaction, acknowledged after the
/// server has written its commit to disk.
/// </summary>
/// <remarks>Several clients can have the databases open at once. Requires PostgreSQL 13 or later; tested with 15.</remarks>
public sealed class PostgreSqlStorage : IStorageProxy
{
    private readonly PostgreSqlOptions _options;
    private readonly TimeProvider _time;
    private readonly StoutDiagnostics _diagnostics;
    private readonly List<PostgreSqlPartition> _partitions = [];
    private readonly StoreLifetime _lifetime = new();

    /// <summary>Creates the store for the databases that the options name, without connecting.</summary>
    /// <param name="options">The location and use of the databases. Later changes of the record have no effect.</param>
    /// <param name="timeProvider">The clock of time limits and sweeps; default: the system's.</param>
    /// <param name="diagnostics">The destination of the store's own metric and log. Default: the process-wide meter, and no log.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public PostgreSqlStorage(PostgreSqlOptions options, TimeProvider? timeProvider = null, StoutDiagnostics? diagnostics = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options.Copy();
        _time = timeProvider ?? TimeProvider.System;
        _diagnostics = diagnostics ?? new StoutDiagnostics();
        Limits = PostgreSqlLimits.For(_options);
        Capabilities = new StorageCapabilities
        {
            Durable = true, AtomicBatches = true, Claims = true, WarmsUp = true, Shared = true, RaisesEpochs = true, Lists = true,
            EncryptsTransport = _options.ConnectionStrings.All(SessionSettings.IsEncrypted),
        };
    }

    /// <summary>Creates the store for one database with default options, without connecting.</summary>
    /// <param name="connectionString">Npgsql's connection string.</param>
    /// <exception cref="InvalidOptionException">The connection string is invalid.</exception>
    public PostgreSqlStorage(string connectionString)
        : this(new PostgreSqlOptions { ConnectionStrings = [connectionString] })
    {
    }

    /// <inheritdoc/>
    public StorageCapabilities Capabilities { get; }

    /// <inheritdoc/>
    public StorageLimits Limits { get; }

    /// <summary>Connects to every database, creates missing schemas, and checks that the databases are one complete set.</summary>
    /// <returns>The store partitions, in the order of their slots.</returns>
    /// <exception cref="StoreException">The databases cannot be used. <see cref="StoreErrorKind.Unreachable"/>: a server is down, starting, or read-only.
    /// <see cref="StoreErrorKind.Overloaded"/>: a server has no free connection. <see cref="StoreErrorKind.LayoutMismatch"/>: a database or schema is missing
    /// or foreign, or belongs to another set or number of partitions. <see cref="StoreErrorKind.Refused"/>: credentials or permissions are insufficient, a
    /// server would lose acknowledged writes, or this instance has been opened before.</exception>
    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        _lifetime.Open();
        var sources = _options.ConnectionStrings.Select(text => SessionSettings.CreateDataSource(text, _options)).ToList();
        try
        {
            await SetSetup.RunAsync(sources, _options, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            foreach (var source in sources)
                await source.DisposeAsync().ConfigureAwait(false);
            if (error is OperationCanceledException && cancellationToken.IsCancellationRequested)
                throw;
            throw PostgreSqlErrors.ClassifyConnecting(error);
        }

        _partitions.AddRange(sources.Select((source, i) =>
            new PostgreSqlPartition(new SessionPool(source, _options), Limits, _options, new SnapshotWatch(_diagnostics, i), _time)));
        return _partitions;
    }

    /// <summary>Waits for running calls, and closes the connections.</summary>
    public ValueTask DisposeAsync() => _lifetime.CloseAsync(() => Task.WhenAll(_partitions.Select(static partition => partition.DisposeAsync().AsTask())));
}
