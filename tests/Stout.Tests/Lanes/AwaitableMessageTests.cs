using Stout.Lanes.Shell;

namespace Stout.Tests.Lanes;

/// <summary>A message that is awaited: released, failed or cancelled, whichever comes first.</summary>
public sealed class AwaitableMessageTests
{
    private readonly AwaitableMessage _message = new();

    [Fact]
    public async Task A_release_completes_it()
    {
        var wait = _message.WaitAsync(CancellationToken.None);
        Assert.False(wait.IsCompleted);

        _message.Execute();

        Assert.True(wait.IsCompletedSuccessfully);
        await wait;
    }

    [Fact]
    public async Task A_failure_is_thrown()
    {
        var wait = _message.WaitAsync(CancellationToken.None);
        _message.Failure = new StoppedException();
        _message.Execute();

        Assert.Same(_message.Failure, await Assert.ThrowsAsync<StoppedException>(async () => await wait));
    }

    [Fact]
    public async Task A_release_after_the_cancellation_changes_nothing()
    {
        using var cancellation = new CancellationTokenSource();
        var wait = _message.WaitAsync(cancellation.Token);
        await cancellation.CancelAsync();
        _message.Execute();

        var cancelled = await Assert.ThrowsAsync<OperationCanceledException>(async () => await wait);
        Assert.Equal(cancellation.Token, cancelled.CancellationToken);
    }

    [Fact]
    public async Task A_cancellation_after_the_release_changes_nothing()
    {
        using var cancellation = new CancellationTokenSource();
        var wait = _message.WaitAsync(cancellation.Token);
        _message.Execute();
        await cancellation.CancelAsync();

        await wait;
    }

    [Fact]
    public async Task What_has_been_waited_for_is_kept_by_no_token()
    {
        using var cancellation = new CancellationTokenSource();
        var message = await WaitAsync(cancellation.Token);
        for (var i = 0; i < 10 && message.IsAlive; i++)
            GC.Collect();

        Assert.False(message.IsAlive);
    }

    [Fact(Timeout = 30_000)]
    public async Task What_waited_runs_on_the_pool_and_not_where_it_was_cancelled()
    {
        using var cancellation = new CancellationTokenSource();
        var continued = _message.WaitAsync(cancellation.Token).AsTask().ContinueWith(
            static _ => Thread.CurrentThread.IsThreadPoolThread,
            TestContext.Current.CancellationToken,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        new Thread(cancellation.Cancel).Start();

        Assert.True(await continued);
    }

    private static async Task<WeakReference> WaitAsync(CancellationToken cancellationToken)
    {
        var message = new AwaitableMessage();
        var wait = message.WaitAsync(cancellationToken);
        message.Execute();
        await wait;
        return new WeakReference(message);
    }
}
