using System.Threading.Channels;
using FASTER.core;

namespace Stout.Benchmarks.Peers;

/// <summary>
/// FasterLog: a log without an index, so a record is found only by reading the log. One task commits: each commit covers all records appended during the
/// previous commit.
/// </summary>
internal sealed class FasterLogPeer : IPeer
{
    private readonly Channel<bool> _appended = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite, SingleReader = true });
    private readonly FasterLogSettings _settings;
    private readonly FasterLog _log;
    private readonly Task _committing;

    public FasterLogPeer(string path)
    {
        // Without FastCommitMode each commit writes and syncs a second file.
        _settings = new FasterLogSettings(path) { FastCommitMode = true };
        _log = new FasterLog(_settings);
        _committing = Task.Run(CommitAllAsync);
    }

    public string Durability => "CommitAsync before the reply; its device opens the log's files with O_SYNC (FileOptions.WriteThrough)";

    public async ValueTask WriteAsync(Player player)
    {
        var begins = _log.Enqueue(player.ToBytes());
        _appended.Writer.TryWrite(true);
        await _log.WaitForCommitAsync(begins + 1);
    }

    public async ValueTask DisposeAsync()
    {
        _appended.Writer.Complete();
        await _committing;
        _log.Dispose();
        _settings.Dispose();
    }

    private async Task CommitAllAsync()
    {
        await foreach (var _ in _appended.Reader.ReadAllAsync())
            await _log.CommitAsync();
    }
}
