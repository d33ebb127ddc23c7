using Microsoft.Extensions.Logging;
using Stout.Diagnostics;
using Stout.Sqlite.Diagnostics;
using Stout.Sqlite.Native;
using Stout.Sqlite.Setup;
using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>
/// Stores objects in SQLite files, one for each store partition. Acknowledged writes have been synced to the disk; each batch of a partition is one
/// transaction.
/// </summary>
/// <remarks>
/// Each file has one writing thread and a few concurrent reading threads. One process at a time can open a set of files; the sqlite3 shell can read
/// them meanwhile.
/// </remarks>
public sealed class SqliteStorage : IStorageProxy
{
    // The final checkpoint takes seconds on a slow disk. A disk that needs longer counts as not answering.
    private static readonly TimeSpan ClosingPatience = TimeSpan.FromSeconds(30);

    private readonly SqliteOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly string _client;
    private readonly bool _isDevelopment;
    private readonly List<SqlitePartition> _partitions = [];
    private SetLock? _lock;
    private readonly StoreLifetime _lifetime = new();

    /// <summary>Creates the store for the files that the options name, without opening them.</summary>
    /// <param name="options">The location and use of the files. Later changes of the record have no effect.</param>
    /// <param name="timeProvider">The clock of deletions; default: the system's.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public SqliteStorage(SqliteOptions options, TimeProvider? timeProvider = null)
        : this(options, timeProvider, new StoutDiagnostics(), isDevelopment: false)
    {
    }

    internal SqliteStorage(SqliteOptions options, TimeProvider? timeProvider, StoutDiagnostics diagnostics, bool isDevelopment)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options.Copy();
        _time = timeProvider ?? TimeProvider.System;
        (_logger, _client, _isDevelopment) = (diagnostics.CreateLogger(SqliteLog.Category), diagnostics.ClientName, isDevelopment);
        Limits = SqliteLimits.For(_options);
    }

    /// <summary>Creates the store for one file with default options, without opening it.</summary>
    /// <param name="path">The database file, which is created if missing.</param>
    /// <exception cref="InvalidOptionException">The path does not name a file.</exception>
    public SqliteStorage(string path)
        : this(new SqliteOptions { Path = path })
    {
    }

    /// <inheritdoc/>
    public StorageCapabilities Capabilities { get; } = new() { Durable = true, AtomicBatches = true, Claims = true, WarmsUp = true, Shared = false, RaisesEpochs = true, Lists = true };

    /// <inheritdoc/>
    public StorageLimits Limits { get; }

    /// <summary>Creates missing files, checks that the files are one complete set, and takes the lock that excludes a second process.</summary>
    /// <returns>The store partitions, in the order of their slots.</returns>
    /// <exception cref="StoreException">The files cannot be used. <see cref="StoreErrorKind.Locked"/>: the files are open elsewhere. <see
    /// cref="StoreErrorKind.LayoutMismatch"/>: a file is missing or foreign, or belongs to another set or number of partitions. <see
    /// cref="StoreErrorKind.Corrupt"/>: a file is damaged. <see cref="StoreErrorKind.Full"/>: a disk is full. <see cref="StoreErrorKind.Refused"/>: the
    /// files cannot be written, or this instance has been opened before.</exception>
    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        _lifetime.Open();
        try
        {
            await Task.Run(() => OpenFilesAsync(cancellationToken), cancellationToken).ConfigureAwait(false);
            return _partitions;
        }
        catch (SqliteFailure failure)
        {
            await CloseAsync().ConfigureAwait(false);
            throw SqliteErrors.Classify(failure);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            await CloseAsync().ConfigureAwait(false);
            // Without the inner exception: its message contains the path, and the text of a setting may be secret.
            throw new StoreException(StoreErrorKind.Refused, $"The files of the store can't be made or read ({error.GetType().Name}).");
        }
        catch
        {
            await CloseAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Finishes the accepted batches, checkpoints the logs, and releases the lock.</summary>
    /// <exception cref="StoreException">The disk does not answer for 30 s (<see cref="StoreErrorKind.Unknown"/>). The files stay open and locked
    /// until the disk answers or the process ends.</exception>
    public ValueTask DisposeAsync() => _lifetime.CloseAsync(CloseAsync);

    private async Task OpenFilesAsync(CancellationToken cancellationToken)
    {
        var files = new SetFiles(_options.Path, _options.Partitions);
        RefuseElsewhere(files);
        if (!_options.CreateMissing && !files.Any)
            throw new StoreException(StoreErrorKind.LayoutMismatch, $"{files.TitleOf(0)} is missing, and the options say that it is not to be made.");
        Directory.CreateDirectory(files.Directory);
        _lock = SetLock.Take(files.Lock, _options.FileMode);
        files.RefuseStrangers();
        await PartitionSet.SetUpAsync(Layout.Id, Layout.Version, [.. files.Databases.Select((path, i) => new FileSetup(path, files.TitleOf(i), _options, Created))], cancellationToken).ConfigureAwait(false);
        foreach (var path in files.Databases)
        {
            cancellationToken.ThrowIfCancellationRequested();
            _partitions.Add(new SqlitePartition(path, files.Lock, _options, _time));
        }

        var first = ShownPath.Of(files.Databases[0]);
        _logger.Opened(_client, first, files.Databases.Count);
    }

    private void Created(string path)
    {
        var (level, shown) = (_isDevelopment ? LogLevel.Information : LogLevel.Warning, ShownPath.Of(path));
        _logger.Created(level, _client, shown);
    }

    // Both paths are named: one of them has the files that the options mean, so neither text is a secret.
    private void RefuseElsewhere(SetFiles files)
    {
        if (_options.OtherPath is { } other && new SetFiles(other, _options.Partitions) is var elsewhere && elsewhere.Any && !files.Any)
        {
            throw new StoreException(
                StoreErrorKind.LayoutMismatch,
                $"The file {ShownPath.Of(files.Databases[0])}, under the host's content root, does not exist, but {ShownPath.Of(elsewhere.Databases[0])}, under the working directory, does. "
                + "Move the files, or give the full path.");
        }
    }

    private async Task CloseAsync()
    {
        try
        {
            await CloseFilesAsync().WaitAsync(ClosingPatience, _time).ConfigureAwait(false);
        }
        catch (TimeoutException late)
        {
            throw new StoreException(StoreErrorKind.Unknown, "The disk does not answer. The files stay open and locked.", late);
        }
    }

    private async Task CloseFilesAsync()
    {
        try
        {
            await Task.WhenAll(_partitions.Select(partition => partition.DisposeAsync().AsTask())).ConfigureAwait(false);
        }
        finally
        {
            _lock?.Dispose();
            _lock = null;
        }
    }
}
