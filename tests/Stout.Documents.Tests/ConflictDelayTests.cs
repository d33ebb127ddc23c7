using Microsoft.Extensions.Time.Testing;

namespace Stout.Documents.Tests;

/// <summary>How long a call waits before it tries again after a conflict.</summary>
public sealed class ConflictDelayTests : IAsyncDisposable
{
    private readonly FakeTimeProvider _time = new() { AutoAdvanceAmount = TimeSpan.Zero };
    private readonly DocumentStore _documents;
    private readonly DocumentSet _set;
    private double _drawn;

    public ConflictDelayTests()
    {
        _documents = new DocumentStore(new ControlledStore(), Fixture.Options.Copy(), _time, random: () => _drawn);
        _set = new DocumentSet("notes", _documents, isFresh: true, claims: false);
    }

    public ValueTask DisposeAsync() => _documents.DisposeAsync();

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 0)]
    [InlineData(3, 8)]
    [InlineData(5, 32)]
    [InlineData(7, 128)]
    [InlineData(50, 128)]
    [InlineData(1_000, 128)]
    public void First_two_conflicts_are_retried_at_once_and_later_ones_after_a_random_wait_that_doubles_up_to_128_milliseconds(int conflicts, int longest)
    {
        Assert.Equal(longest, Delay(conflicts, TimeSpan.Zero, drawn: 1));
        Assert.Equal(longest / 2, Delay(conflicts, TimeSpan.Zero, drawn: 0.5));
        Assert.Equal(0, Delay(conflicts, TimeSpan.Zero, drawn: 0));
    }

    [Theory]
    [InlineData(50, 100, 78)]
    [InlineData(50, 240, 8)]
    [InlineData(50, 256, 1)]
    [InlineData(50, 1_000_000, 1)]
    [InlineData(3, 10, 3)]
    [InlineData(2, 1_000, 0)]
    public void Older_calls_wait_less_so_that_they_win(int conflicts, int age, int longest) =>
        Assert.Equal(longest, Delay(conflicts, TimeSpan.FromMilliseconds(age), drawn: 1));

    // In whole milliseconds.
    private int Delay(int conflicts, TimeSpan age, double drawn)
    {
        _drawn = drawn;
        var wait = _set.DelayAsync(conflicts, age, TestContext.Current.CancellationToken);
        var waited = 0;
        for (; !wait.IsCompleted; waited++)
            _time.Advance(TimeSpan.FromMilliseconds(1));
        return waited;
    }
}
