using Stout.PostgreSql.Sessions;
using Stout.PostgreSql.Setup;
using Stout.Storage;

namespace Stout.PostgreSql;

/// <summary>
/// Keeps objects in PostgreSQL databases, one for each store partition. Each batch is one round trip and one transaction, which is
/// acknowledged when the server has its commit on the disk.
/// </summary>
/// <remarks>
/// Several clients may have the databases open at once. PostgreSQL 13 or later; tested with 15.
/// </remarks>
public sealed class PostgreSqlStorage : IStorageProxy
{
    private readonly PostgreSqlOptions _options;
    private readonly TimeProvider _time;
    private readonly List<PostgreSqlPartition> _partitions = [];
    private readonly StoreLifetime _lifetime = new();

    /// <summary>Keeps objects in the databases that the options name. Nothing is opened yet.</summary>
    /// <param name="options">Where the databases are and how they are used. Later changes of the record have no effect.</param>
    /// <param name="timeProvider">Says when calls take too long and when to tidy up; default: the system's clock.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public PostgreSqlStorage(PostgreSqlOptions options, TimeProvider? timeProvider = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options.Copy();
        _time = timeProvider ?? TimeProvider.System;
        Limits = PostgreSqlLimits.For(_options);
        Capabilities = new StorageCapabilities
        {
            Durable = true, AtomicBatches = true, Claims = true, WarmsUp = true, Shared = true, Lists = true,
            EncryptsTransport = _options.ConnectionStrings.All(SessionSettings.IsEncrypted),
        };
    }

    /// <summary>Keeps objects in one database, with default options. Nothing is opened yet.</summary>
    /// <param name="connectionString">Npgsql's connection string.</param>
    /// <exception cref="InvalidOptionException">The connection string can't be used.</exception>
    public PostgreSqlStorage(string connectionString)
        : this(new PostgreSqlOptions { ConnectionStrings = [connectionString] })
    {
    }

    /// <inheritdoc/>
    public StorageCapabilities Capabilities { get; }

    /// <inheritdoc/>
    public StorageLimits Limits { get; }

    /// <summary>Connects to every database, makes the schema where it is missing, and checks that the databases are one whole set.</summary>
    /// <returns>The store partitions, in the order of their slots.</returns>
    /// <exception cref="StoreException">
    /// The databases can't be used: <see cref="StoreErrorKind.Unreachable"/>, one can't be reached, is starting, or only reads;
    /// <see cref="StoreErrorKind.Overloaded"/>, no connection is left; <see cref="StoreErrorKind.LayoutMismatch"/>, a database or schema is missing,
    /// not ours, or of another set or number of partitions; <see cref="StoreErrorKind.Refused"/>, credentials or permissions are not enough, a server would lose what it acknowledges, or this instance has been opened before.
    /// </exception>
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

        _partitions.AddRange(sources.Select(source => new PostgreSqlPartition(new SessionPool(source, _options), Limits, _options, _time)));
        return _partitions;
    }

    /// <summary>Waits for the calls that are under way, and closes the connections.</summary>
    public ValueTask DisposeAsync() => _lifetime.CloseAsync(() => Task.WhenAll(_partitions.Select(static partition => partition.DisposeAsync().AsTask())));
}
