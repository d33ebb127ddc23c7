using System.Diagnostics;
using System.Text.Json;

namespace Linearizability;

/// <summary>
/// Records the operations of one process into a file of JSON lines. <see cref="History.Read"/> joins the files of several processes of one machine, since
/// all times are by the machine's monotonic clock.
/// </summary>
/// <remarks>
/// The operating system has each line before the call returns, so a process that is killed afterwards loses no request that it has sent. An operation
/// that never ends in the file has an unknown outcome. All members may be called from any thread.
/// </remarks>
public sealed class HistoryRecorder : IDisposable
{
    private readonly Lock _lock = new();
    private readonly FileStream _file;
    private long _lastId;

    /// <param name="path">A file that does not exist yet.</param>
    public HistoryRecorder(string path) => _file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);

    /// <summary>Records that a client is about to send a request.</summary>
    /// <returns>The operation's number, for the call that ends it.</returns>
    public long Invoke(string client, string key, OperationKind kind, string? value = null, string? expected = null)
    {
        var id = Interlocked.Increment(ref _lastId);
        Write(new HistoryEvent(id, HistoryEventKind.Invoke, Stopwatch.GetTimestamp()) { Client = client, Key = key, Kind = kind, Value = value, Expected = expected });
        return id;
    }

    /// <summary>Records an answer that tells the value before the operation.</summary>
    public void Return(long id, string? seen) => Write(new HistoryEvent(id, HistoryEventKind.Return, Stopwatch.GetTimestamp()) { Seen = seen, TellsSeen = true });

    /// <summary>Records an answer that tells only success.</summary>
    public void Return(long id) => Write(new HistoryEvent(id, HistoryEventKind.Return, Stopwatch.GetTimestamp()));

    /// <summary>
    /// Records an answer that the operation is certainly not done. Never call this method for an unknown outcome: leave such an operation open.
    /// </summary>
    public void Fail(long id) => Write(new HistoryEvent(id, HistoryEventKind.Fail, Stopwatch.GetTimestamp()));

    public void Dispose() => _file.Dispose();

    private void Write(HistoryEvent line)
    {
        byte[] bytes = [.. JsonSerializer.SerializeToUtf8Bytes(line, HistoryJson.Default.HistoryEvent), (byte)'\n'];
        lock (_lock)
            _file.Write(bytes);
    }
}
