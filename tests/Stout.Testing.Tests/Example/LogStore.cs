using Stout.Storage;

namespace Stout.Testing.Tests.Example;

/// <summary>
/// The example of docs/writing-a-proxy.md: objects in memory, and behind them a log file. Every batch is appended to the log and synced before it is
/// acknowledged. The example keeps every promise, and does not compact the log.
/// </summary>
public sealed class LogStore(string path) : IStorageProxy
{
    private readonly StoreLifetime _lifetime = new();
    private LogFile? _log;

    #region capabilities
    public StorageCapabilities Capabilities { get; } = new() { Durable = true, AtomicBatches = true, Claims = true, Shared = false, Lists = true };

    public StorageLimits Limits { get; } = new()
    {
        MaxValueBytes = 1 << 20,
        MaxChangeSetParts = 1_000,
        MaxChangeSetBytes = 4 << 20,
        MaxBatchKeys = 1_000,
        MaxBatchBytes = 16 << 20,
        DeletedHeaderRetention = null,
    };
    #endregion

    #region open
    public ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        _lifetime.Open();
        _log = LogFile.Open(path, out var entries);
        return new([new LogPartition(_log, entries, Limits)]);
    }
    #endregion

    public ValueTask DisposeAsync() => _lifetime.CloseAsync(() =>
    {
        _log?.Dispose();
        return Task.CompletedTask;
    });
}
