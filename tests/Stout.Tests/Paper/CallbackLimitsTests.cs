using Microsoft.Extensions.Time.Testing;
using Stout.Paper;

namespace Stout.Tests.Paper;

/// <summary>The time limits of callbacks, and the reuse of the objects that stand for the limits.</summary>
public sealed class CallbackLimitsTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromHours(1);

    [Fact]
    public void A_callback_is_told_when_its_time_is_over()
    {
        var time = new FakeTimeProvider();
        using var limits = new CallbackLimits(Limit, time);
        var token = limits.Take().Token;
        time.Advance(Limit - TimeSpan.FromTicks(1));
        Assert.False(token.IsCancellationRequested);

        time.Advance(TimeSpan.FromTicks(1));

        Assert.True(token.IsCancellationRequested);
    }

    [Fact]
    public void A_limit_that_was_not_reached_is_used_again()
    {
        using var limits = new CallbackLimits(Limit, TimeProvider.System);
        var (one, other) = (limits.Take(), limits.Take());
        Assert.NotSame(one, other);
        limits.GiveBack(one);

        Assert.Same(one, limits.Take());
    }

    [Fact]
    public void A_limit_that_was_reached_is_not()
    {
        using var limits = new CallbackLimits(Limit, TimeProvider.System);
        var reached = limits.Take();
        reached.Cancel();
        limits.GiveBack(reached);

        Assert.Throws<ObjectDisposedException>(() => reached.Token);
        Assert.False(limits.Take().IsCancellationRequested);
    }

    [Fact(Timeout = 30_000)]
    public async Task A_limit_that_is_used_again_holds_again()
    {
        using var limits = new CallbackLimits(TimeSpan.FromMilliseconds(1), TimeProvider.System);
        for (var i = 0; i < 3; i++)
            limits.GiveBack(limits.Take());
        var over = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = limits.Take().Token.Register(over.SetResult);

        await over.Task;
    }

    [Fact]
    public void What_is_spare_goes_with_the_lane()
    {
        var limits = new CallbackLimits(Limit, TimeProvider.System);
        var (one, other) = (limits.Take(), limits.Take());
        limits.GiveBack(one);
        limits.GiveBack(other);
        limits.Dispose();

        Assert.Throws<ObjectDisposedException>(() => one.Token);
        Assert.Throws<ObjectDisposedException>(() => other.Token);
    }
}
