using Microsoft.Extensions.Time.Testing;
using Stout.SqlServer.Client;

namespace Stout.SqlServer.Tests;

public sealed class SilenceLimitTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);
    private readonly FakeTimeProvider _time = new();
    private readonly CancellationTokenSource _caller = new();

    public void Dispose() => _caller.Dispose();

    [Fact]
    public void Server_that_is_silent_for_the_limit_ends_the_call()
    {
        using var limit = new SilenceLimit(Limit, _time, _caller.Token);

        _time.Advance(Limit - TimeSpan.FromMilliseconds(1));
        Assert.False(limit.Token.IsCancellationRequested);

        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(limit.Token.IsCancellationRequested);
    }

    [Fact]
    public void Call_may_take_longer_than_the_limit_while_something_arrives()
    {
        using var limit = new SilenceLimit(Limit, _time, _caller.Token);
        for (var row = 0; row < 100; row++)
        {
            _time.Advance(Limit * 0.9);
            limit.Heard();
        }

        Assert.False(limit.Token.IsCancellationRequested);
        _time.Advance(Limit);
        Assert.True(limit.Token.IsCancellationRequested);
    }

    [Fact]
    public void Caller_ends_the_call_whenever_it_likes()
    {
        using var limit = new SilenceLimit(Limit, _time, _caller.Token);

        _caller.Cancel();

        Assert.True(limit.Token.IsCancellationRequested);
    }
}
