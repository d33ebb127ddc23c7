using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Tests.Storage;

/// <summary>
/// Sweeping keeps up with writing. A sweep begins when enough garbage is left. When too much is left, writes wait for the sweep, for a bounded time.
/// </summary>
public sealed class SweepBacklogTests : IAsyncDisposable
{
    private const int Due = 3;
    private const int Most = 10;

    private readonly FakeTimeProvider _time = new();
    private readonly SweepBacklog _backlog;
    private TaskCompletionSource _sweep = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public SweepBacklogTests()
    {
        _backlog = new SweepBacklog(_time, TimeSpan.FromMinutes(1), Due, Most, SweepAsync);
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public ValueTask DisposeAsync()
    {
        _sweep.TrySetResult();
        return _backlog.DisposeAsync();
    }

    [Fact]
    public async Task Sweep_begins_where_enough_is_left_and_not_before()
    {
        _backlog.Add(Due - 1);
        _backlog.Add(0);
        Assert.True(_backlog.Running.IsCompleted);
        _backlog.Add(1);
        await _begun.Task.WaitAsync(Token);
    }

    [Fact]
    public async Task Write_waits_where_too_much_is_left_until_the_sweep_has_ended()
    {
        _backlog.Add(Most - 1);
        await _begun.Task.WaitAsync(Token);
        Assert.True(_backlog.KeepUpAsync(Token).AsTask().IsCompletedSuccessfully);
        _backlog.Add(1);
        var write = _backlog.KeepUpAsync(Token).AsTask();
        Assert.False(write.IsCompleted);
        _sweep.SetResult();
        await write;
    }

    [Fact]
    public async Task Write_waits_two_seconds_at_most()
    {
        _backlog.Add(Most);
        await _begun.Task.WaitAsync(Token);
        var write = _backlog.KeepUpAsync(Token).AsTask();
        _time.Advance(TimeSpan.FromSeconds(2) - TimeSpan.FromTicks(1));
        Assert.False(write.IsCompleted);
        _time.Advance(TimeSpan.FromTicks(1));
        await write;
    }

    [Fact]
    public async Task Cancelled_write_does_not_wait()
    {
        _backlog.Add(Most);
        using var cancellation = new CancellationTokenSource();
        var write = _backlog.KeepUpAsync(cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => write);
    }

    [Fact]
    public async Task Sweep_pays_for_what_was_left_when_it_began()
    {
        _backlog.Add(Most);
        await _begun.Task.WaitAsync(Token);
        var (first, running) = (_sweep, _backlog.Running);
        (_sweep, _begun) = (new(TaskCreationOptions.RunContinuationsAsynchronously), new(TaskCreationOptions.RunContinuationsAsynchronously));
        _backlog.Add(Most);
        first.SetResult();
        await running;

        // The garbage that was added during the sweep is left. So another sweep follows, and writes wait for it.
        await _begun.Task.WaitAsync(Token);
        var write = _backlog.KeepUpAsync(Token).AsTask();
        Assert.False(write.IsCompleted);
        _sweep.SetResult();
        await write;
        Assert.True(_backlog.KeepUpAsync(Token).AsTask().IsCompletedSuccessfully);
    }

    [Fact]
    public async Task Sweep_that_fails_pays_for_nothing_and_writes_do_not_wait_during_the_pause_after_it()
    {
        _backlog.Add(Most);
        await _begun.Task.WaitAsync(Token);
        var running = _backlog.Running;
        var failed = _sweep;
        _sweep = new(TaskCreationOptions.RunContinuationsAsynchronously);
        failed.SetException(new StoreException(StoreErrorKind.Unreachable, "away"));
        await running;
        Assert.True(_backlog.KeepUpAsync(Token).AsTask().IsCompletedSuccessfully);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(_backlog.KeepUpAsync(Token).AsTask().IsCompleted);
    }

    private async ValueTask SweepAsync(long left, CancellationToken cancellationToken)
    {
        var sweep = _sweep;
        _begun.TrySetResult();
        await sweep.Task.WaitAsync(cancellationToken);
    }
}
