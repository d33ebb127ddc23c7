using Microsoft.Extensions.Time.Testing;

namespace Stout.Documents.Tests;

/// <summary>How long a call waits before it tries again after a conflict.</summary>
public sealed class ConflictDelayTests
{
    [Fact]
    public async Task First_two_conflicts_are_retried_at_once_and_later_ones_after_a_random_wait_that_doubles_up_to_128_milliseconds()
    {
        var time = new FakeTimeProvider { AutoAdvanceAmount = TimeSpan.Zero };
        await using var documents = new DocumentStore(new ControlledStore(), Fixture.Options.Copy(), time);
        var set = new DocumentSet("notes", documents, isFresh: true, claims: false);

        Assert.Equal([0, 0, 3], new[] { Longest(1), Longest(2), Math.Round(Math.Log2(Longest(3))) });
        Assert.Equal([5, 7, 7, 7], new[] { Longest(5), Longest(7), Longest(50), Longest(1_000) }.Select(wait => Math.Round(Math.Log2(wait))));

        // The longest of many waits is near the bound, and never above it.
        int Longest(int conflicts)
        {
            var longest = 0;
            for (var i = 0; i < 500; i++)
            {
                var wait = set.DelayAsync(conflicts, TestContext.Current.CancellationToken);
                var waited = 0;
                for (; !wait.IsCompleted; waited++)
                    time.Advance(TimeSpan.FromMilliseconds(1));
                longest = Math.Max(longest, waited);
            }

            return longest;
        }
    }
}
