using System.Threading.Channels;
using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Tests.Storage;

public sealed class BackgroundLoopTests : IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMinutes(1);

    private readonly FakeTimeProvider _time = new();
    private readonly Channel<TaskCompletionSource> _runs = Channel.CreateUnbounded<TaskCompletionSource>();
    private readonly List<StoreException> _failures = [];
    private readonly BackgroundJob _job = new("sweep");
    private readonly BackgroundLoop _loop;

    public BackgroundLoopTests()
    {
        _job.Watch(_failures.Add);
        _loop = new BackgroundLoop(_time, Interval, _job, WorkAsync);
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    [Fact]
    public async Task Runs_follow_one_another_at_the_interval()
    {
        _time.Advance(Interval - TimeSpan.FromTicks(1));
        Assert.True(_loop.Running.IsCompleted);
        for (var i = 0; i < 3; i++)
        {
            _time.Advance(TimeSpan.FromTicks(1));
            await EndAsync(await BegunAsync());
            _time.Advance(Interval - TimeSpan.FromTicks(1));
            Assert.True(_loop.Running.IsCompleted);
        }
    }

    [Fact]
    public async Task First_run_begins_when_it_is_said_to()
    {
        await using var loop = new BackgroundLoop(_time, Interval, _job, WorkAsync, first: TimeSpan.Zero);

        (await BegunAsync()).SetResult();
        await loop.Running;
    }

    [Fact]
    public async Task Request_runs_at_once_and_the_interval_begins_anew()
    {
        _time.Advance(Interval / 2);
        var request = _loop.RunAsync();
        (await BegunAsync()).SetResult();
        await request;

        _time.Advance(Interval * 0.75);
        Assert.True(_loop.Running.IsCompleted);
        _time.Advance(Interval / 4);
        await EndAsync(await BegunAsync());
    }

    [Fact]
    public async Task Requests_during_a_run_are_one_run_after_it()
    {
        var first = _loop.RunAsync();
        var run = await BegunAsync();
        var requests = Enumerable.Range(0, 5).Select(_ => _loop.RunAsync()).ToList();
        Assert.All(requests, request => Assert.Same(first, request));
        run.SetResult();
        await first;

        await EndAsync(await BegunAsync());
        Assert.False(_runs.Reader.TryRead(out _));
    }

    [Fact]
    public async Task Failed_run_is_told_and_repeated_when_the_store_asks_for_it()
    {
        _ = _loop.RunAsync();
        var run = await BegunAsync();
        _ = _loop.RunAsync();
        run.SetException(new StoreException(StoreErrorKind.Overloaded, "later") { RetryAfter = Interval * 3 });
        await _loop.Running;
        Assert.Equal("later", Assert.Single(_failures).Message);

        _time.Advance(Interval * 2);
        Assert.True(_loop.Running.IsCompleted);
        _time.Advance(Interval);
        await EndAsync(await BegunAsync());
    }

    [Fact]
    public async Task Failure_of_an_unknown_kind_does_not_end_the_loop()
    {
        _ = _loop.RunAsync();
        (await BegunAsync()).SetException(new InvalidOperationException("whatever"));
        await _loop.Running;

        Assert.Equal("whatever", Assert.Single(_failures).InnerException!.Message);
        _time.Advance(Interval);
        await EndAsync(await BegunAsync());
    }

    [Fact]
    public async Task Pause_after_a_failed_run_doubles_up_to_the_interval_and_requests_start_no_run_within_it()
    {
        _ = _loop.RunAsync();
        foreach (var seconds in (int[])[1, 2, 4, 8, 16, 32, 60, 60])
        {
            await FailAsync(await BegunAsync());
            var pause = TimeSpan.FromSeconds(seconds);
            Assert.True(_loop.RunAsync().IsCompleted);
            Assert.True(_loop.RunAsync().IsCompletedSuccessfully);
            _time.Advance(pause - TimeSpan.FromTicks(1));
            Assert.True(_loop.RunAsync().IsCompleted);
            Assert.False(_runs.Reader.TryRead(out _));
            _time.Advance(TimeSpan.FromTicks(1));
        }

        await EndAsync(await BegunAsync());
        _ = _loop.RunAsync();
        await FailAsync(await BegunAsync());
        _time.Advance(TimeSpan.FromSeconds(1));
        await EndAsync(await BegunAsync());
    }

    [Fact]
    public async Task Job_fails_until_a_whole_run_succeeds()
    {
        _ = _loop.RunAsync();
        await FailAsync(await BegunAsync());
        Assert.Equal((1, StoreErrorKind.Refused), (_job.Failures, _job.Failure?.Kind));

        // An item that a run skips fails the job, though the run itself ends well.
        _time.Advance(TimeSpan.FromSeconds(1));
        var run = await BegunAsync();
        _job.Fail(new StoreException(StoreErrorKind.Corrupt, "one row"));
        await EndAsync(run);
        Assert.Equal((2, StoreErrorKind.Corrupt), (_job.Failures, _job.Failure?.Kind));

        _ = _loop.RunAsync();
        await EndAsync(await BegunAsync());
        Assert.Equal((2, null), (_job.Failures, _job.Failure));
    }

    [Fact]
    public async Task Disposal_cancels_the_run_under_way_and_waits_for_its_end()
    {
        var cancelled = new TaskCompletionSource();
        var ends = new TaskCompletionSource();
        var loop = new BackgroundLoop(
            _time,
            Interval,
            _job,
            async token =>
            {
                token.Register(cancelled.SetResult);
                await ends.Task;
                token.ThrowIfCancellationRequested();
            });
        _ = loop.RunAsync();

        var disposal = loop.DisposeAsync().AsTask();
        await cancelled.Task;
        Assert.False(disposal.IsCompleted);
        ends.SetResult();
        await disposal;

        Assert.True(loop.RunAsync().IsCompleted);
        Assert.Empty(_failures);
    }

    private async ValueTask WorkAsync(CancellationToken cancellationToken)
    {
        var run = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Assert.True(_runs.Writer.TryWrite(run));
        await run.Task.WaitAsync(cancellationToken);
    }

    private async Task<TaskCompletionSource> BegunAsync() => await _runs.Reader.ReadAsync(TestContext.Current.CancellationToken);

    private async Task FailAsync(TaskCompletionSource run)
    {
        run.SetException(new StoreException(StoreErrorKind.Refused, "no permission"));
        await _loop.Running;
    }

    private async Task EndAsync(TaskCompletionSource run)
    {
        run.SetResult();
        await _loop.Running;
    }
}
