using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Tests.Storage;

public sealed class StoreCallsTests
{
    private static readonly StoreCallOptions Options = new()
    {
        Timeout = TimeSpan.FromSeconds(2), BreakerMinCalls = 3, BreakerFailureShare = 0.9, BreakerWindow = TimeSpan.FromSeconds(10), BreakerPause = TimeSpan.FromSeconds(1),
    };

    private readonly FakeTimeProvider _time = new();
    private readonly StoreCalls _calls;
    private int _sent;

    public StoreCallsTests() => _calls = new StoreCalls(Options, Classify, _time);

    private static CancellationToken Test => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Result_of_the_call_comes_back() => Assert.Equal(7, await AskAsync(() => 7));

    [Fact]
    public async Task Exception_of_the_client_becomes_what_the_proxy_says_it_means()
    {
        var error = await FailAsync(() => throw new TimeZoneNotFoundException());
        Assert.Equal(StoreErrorKind.Refused, error.Kind);
        Assert.IsType<TimeZoneNotFoundException>(error.InnerException);
    }

    [Fact]
    public async Task Store_exception_stays_as_it_is()
    {
        var thrown = new StoreException(StoreErrorKind.Full, "full");
        Assert.Same(thrown, await FailAsync(() => throw thrown));
    }

    [Fact]
    public async Task Call_without_an_answer_ends_at_the_time_limit_as_unknown()
    {
        var call = HangAsync(Test);
        _time.Advance(Options.Timeout - TimeSpan.FromTicks(1));
        Assert.False(call.IsCompleted);
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.Equal(StoreErrorKind.Unknown, (await Assert.ThrowsAsync<StoreException>(() => call)).Kind);
    }

    [Fact]
    public async Task Call_that_its_caller_gives_up_is_cancelled_and_nothing_else()
    {
        using var caller = CancellationTokenSource.CreateLinkedTokenSource(Test);
        var call = HangAsync(caller.Token);
        await caller.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
    }

    [Theory]
    [InlineData(StoreErrorKind.Unreachable)]
    [InlineData(StoreErrorKind.Unknown)]
    public async Task Breaker_opens_after_calls_without_an_answer_and_sends_nothing_until_its_pause_is_over(StoreErrorKind kind)
    {
        await OpenBreakerAsync(kind);
        var sent = _sent;
        var turnedAway = await FailAsync(() => 0);
        Assert.Equal(StoreErrorKind.Unreachable, turnedAway.Kind);
        Assert.Equal(sent, _sent);

        _time.Advance(Options.BreakerPause);
        Assert.Equal(1, await AskAsync(() => 1));
        Assert.Equal(2, await AskAsync(() => 2));
    }

    [Fact]
    public async Task Probe_that_fails_leaves_the_breaker_open()
    {
        await OpenBreakerAsync(StoreErrorKind.Unreachable);
        _time.Advance(Options.BreakerPause);
        await FailAsync(() => throw new StoreException(StoreErrorKind.Unreachable, "still down"));
        var sent = _sent;
        await FailAsync(() => 0);
        Assert.Equal(sent, _sent);
    }

    [Theory]
    [InlineData(StoreErrorKind.Refused)]
    [InlineData(StoreErrorKind.Overloaded)]
    [InlineData(StoreErrorKind.Full)]
    public async Task Answers_that_nobody_likes_never_open_the_breaker(StoreErrorKind kind)
    {
        for (var i = 0; i < 100; i++)
            await FailAsync(() => throw new StoreException(kind, "no"));
        Assert.Equal(1, await AskAsync(() => 1));
    }

    [Fact]
    public void Option_out_of_its_range_is_named() => Assert.Equal(
        nameof(StoreCallOptions.Timeout),
        Assert.Throws<InvalidOptionException>(() => new StoreCalls(Options with { Timeout = TimeSpan.Zero }, Classify, _time)).Option);

    private static StoreException Classify(Exception error) => new(StoreErrorKind.Refused, "refused", error);

    private async Task OpenBreakerAsync(StoreErrorKind kind)
    {
        for (var i = 0; i < Options.BreakerMinCalls; i++)
            await FailAsync(() => throw new StoreException(kind, "down"));
    }

    private async Task<StoreException> FailAsync(Func<int> answer) => await Assert.ThrowsAsync<StoreException>(() => AskAsync(answer));

    private Task<int> AskAsync(Func<int> answer) => _calls.RunAsync(
        (state, _) =>
        {
            _sent++;
            return ValueTask.FromResult(state());
        },
        answer,
        Test).AsTask();

    private Task<int> HangAsync(CancellationToken cancellationToken) => _calls.RunAsync<object?, int>(
        static async (_, token) => await new TaskCompletionSource<int>().Task.WaitAsync(token),
        null,
        cancellationToken).AsTask();
}
