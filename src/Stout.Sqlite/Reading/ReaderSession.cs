using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Reading;

/// <summary>A reading connection of a file, used by one reader thread and opened by its first read.</summary>
internal sealed class ReaderSession(string path, FileWatch files, SqliteOptions options) : IDisposable
{
    /// <summary>
    /// The bytes of values, and the number of keys, after which a read continues in a new transaction. A reading transaction prevents the log from
    /// restarting. With reads at 1 GB/s, these bounds end the transaction within milliseconds. A larger object is still read in one transaction.
    /// </summary>
    private const int MostBytes = 4 << 20;
    private const int MostKeys = 256;

    private static readonly ReadOutcome TooMany = ReadOutcome.Of(
        new StoreException(StoreErrorKind.LimitExceeded, "The objects are too large to be read together."));

    private Connection? _connection;
    private KeyReader? _keys;
    private KeyLister? _lister;

    /// <summary>Reads some keys of a batch, each as of one state of the database.</summary>
    public void Read(ReadBatch batch, IReadOnlyList<int> indexes)
    {
        Open();
        _keys ??= new KeyReader(_connection!);
        var (next, bytes) = (0, 0L);
        while (next < indexes.Count && bytes < SqliteLimits.MaxReadBytes)
            (next, bytes) = ReadSome(batch, indexes, next, bytes);
        for (; next < indexes.Count; next++)
            batch.SetOutcome(indexes[next], TooMany);
    }

    /// <summary>Lists one page of keys.</summary>
    public KeyPage List(in KeyListing listing)
    {
        Open();
        _lister ??= new KeyLister(_connection!);
        _connection!.BeginReading();
        try
        {
            return _lister.List(listing);
        }
        finally
        {
            _connection.Rollback();
        }
    }

    public void Dispose() => _connection?.Dispose();

    private void Open()
    {
        if (_connection is null)
        {
            files.Check();
            _connection = Connection.OpenForReading(path, options.BusyTimeout);
        }

        // This check follows the opening, so it also detects another file that was renamed to this path just before the opening.
        files.Check();
    }

    /// <summary>Reads keys in one transaction, from <paramref name="first"/> on.</summary>
    /// <returns>The place of the first key that is still unread, and the bytes of the whole batch that have been read so far.</returns>
    private (int Next, long Bytes) ReadSome(ReadBatch batch, IReadOnlyList<int> indexes, int first, long bytesBefore)
    {
        options.OnStep?.Invoke("before a transaction that reads");
        _connection!.BeginReading();
        try
        {
            var (next, bytes) = (first, 0L);
            for (; next < indexes.Count && next - first < MostKeys && bytes < MostBytes; next++)
            {
                batch.SetOutcome(indexes[next], ReadOne(batch[indexes[next]]));
                bytes += _keys!.BytesRead;
            }

            return (next, bytesBefore + bytes);
        }
        finally
        {
            _connection.Rollback();
        }
    }

    private ReadOutcome ReadOne(in KeyRead read)
    {
        try
        {
            return _keys!.Read(read);
        }
        catch (SqliteFailure failure) when (failure.Primary == SQLitePCL.raw.SQLITE_NOMEM)
        {
            return ReadOutcome.Of(new InsufficientMemoryException("SQLite could not get the memory that it needs.", failure));
        }
        catch (SqliteFailure failure)
        {
            // A damaged page or row fails only this key.
            return ReadOutcome.Of(SqliteErrors.Classify(failure));
        }
        catch (Exception error) when (error is OutOfMemoryException or ObjectTooLargeException)
        {
            return ReadOutcome.Of(error);
        }
    }
}
