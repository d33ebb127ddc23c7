using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Reading;

/// <summary>One connection that reads a file. Belongs to one reader's thread; opened with its first read.</summary>
internal sealed class ReaderSession(string path, TimeSpan busyTimeout) : IDisposable
{
    private Connection? _connection;
    private KeyReader? _keys;

    /// <summary>Reads some keys of a batch, all as of one state of the database.</summary>
    /// <returns>The keys that have to be claimed first.</returns>
    public List<int> Read(ReadBatch batch, IReadOnlyList<int> indexes)
    {
        var unclaimed = new List<int>();
        _connection ??= Connection.OpenForReading(path, busyTimeout);
        _keys ??= new KeyReader(_connection);
        _connection.BeginReading();
        try
        {
            foreach (var index in indexes)
            {
                if (ReadOne(batch[index]) is { } outcome)
                    batch.SetOutcome(index, outcome);
                else
                    unclaimed.Add(index);
            }
        }
        finally
        {
            _connection.Rollback();
        }

        return unclaimed;
    }

    public void Dispose() => _connection?.Dispose();

    private ReadOutcome? ReadOne(in KeyRead read)
    {
        try
        {
            return _keys!.Read(read);
        }
        catch (SqliteFailure failure)
        {
            // A damaged page is this key's trouble, not its neighbours'.
            return ReadOutcome.Of(failure.AsNotApplied());
        }
    }
}
