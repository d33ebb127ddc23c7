using Stout.Pacing;

namespace Stout.Tests.Pacing;

public sealed class PacingAllocationTests
{
    public static TheoryData<string> Laws => [.. PacingLaws.Names];

    [Theory]
    [MemberData(nameof(Laws))]
    public void A_law_that_is_told_of_batches_and_answers_allocates_nothing(string name)
    {
        var law = PacingLaws.Named(name)();
        Tell(law, from: 0, to: 100); // The first calls may allocate, since they compile and load code.

        var told = 100;
        Assert.Equal(0, Allocation.Least(10, () => Tell(law, from: told, to: told += 1_000)));
    }

    // Latency rises and falls, so that the law accelerates, backs off, and meets refusals.
    private static void Tell(IPacingLaw law, int from, int to)
    {
        for (var i = from; i < to; i++)
        {
            var interval = law.Interval;
            law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(i), interval, i % 3 == 0, Keys: i));
            var outcome = i % 50 == 0 ? StoreRequestOutcome.Overloaded : StoreRequestOutcome.Answered;
            law.RequestAnswered(LawDriver.Request(256, latency: 1 + (i % 200), interval.TotalMilliseconds, answeredAt: i, i % 3 == 0, outcome));
        }
    }
}
