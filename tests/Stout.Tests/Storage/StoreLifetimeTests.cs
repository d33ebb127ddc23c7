using Stout.Storage;

namespace Stout.Tests.Storage;

public sealed class StoreLifetimeTests
{
    private readonly StoreLifetime _lifetime = new();

    [Fact]
    public void Second_opening_is_refused()
    {
        _lifetime.Open();

        Assert.Equal(StoreErrorKind.Refused, Assert.Throws<StoreException>(_lifetime.Open).Kind);
    }

    [Fact]
    public async Task Opening_after_closing_is_refused()
    {
        await _lifetime.CloseAsync(() => Task.CompletedTask);

        Assert.Equal(StoreErrorKind.Refused, Assert.Throws<StoreException>(_lifetime.Open).Kind);
    }

    [Fact]
    public async Task Later_closing_ends_with_the_first()
    {
        var closes = 0;
        var ends = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task Close()
        {
            closes++;
            return ends.Task;
        }

        var first = _lifetime.CloseAsync(Close).AsTask();
        var second = _lifetime.CloseAsync(Close).AsTask();
        Assert.Equal((false, false, 1), (first.IsCompleted, second.IsCompleted, closes));

        ends.SetResult();
        await first;
        await second;
    }
}
