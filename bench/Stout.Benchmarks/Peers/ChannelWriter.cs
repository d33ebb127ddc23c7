using System.Threading.Channels;

namespace Stout.Benchmarks.Peers;

/// <summary>
/// The middle of a typical writer by hand: a channel, and a task that writes at most 1,000 waiting records together. It has no stamps, no pacing, no bounds,
/// and no handling of errors: the first error ends its task.
/// </summary>
internal sealed class ChannelWriter : IAsyncDisposable
{
    private const int MostTogether = 1_000;

    private readonly Channel<(Player Player, TaskCompletionSource Done)> _waiting =
        Channel.CreateUnbounded<(Player, TaskCompletionSource)>(new() { SingleReader = true });

    private readonly Func<List<Player>, ValueTask> _write;
    private readonly Task _writing;

    /// <param name="write">Writes records durably.</param>
    public ChannelWriter(Func<List<Player>, ValueTask> write)
    {
        _write = write;
        _writing = Task.Run(WriteAllAsync);
    }

    /// <summary>Writes one record; completes when it is durable.</summary>
    public ValueTask WriteAsync(Player player)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting.Writer.TryWrite((player, done));
        return new ValueTask(done.Task);
    }

    /// <summary>Writes all waiting records, and ends.</summary>
    public async ValueTask DisposeAsync()
    {
        _waiting.Writer.Complete();
        await _writing;
    }

    private async Task WriteAllAsync()
    {
        List<Player> players = [];
        List<TaskCompletionSource> written = [];
        while (await _waiting.Reader.WaitToReadAsync())
        {
            while (players.Count < MostTogether && _waiting.Reader.TryRead(out var next))
            {
                players.Add(next.Player);
                written.Add(next.Done);
            }

            await _write(players);
            foreach (var done in written)
                done.SetResult();
            players.Clear();
            written.Clear();
        }
    }
}
