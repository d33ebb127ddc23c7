using Stout.Lanes.Core;

namespace Stout.Hosting.Tests.Diagnostics;

public sealed class UndurableAgesTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Oldest_is_the_least_of_all_that_have_not_ended(int seed)
    {
        var random = new Random(seed);
        var ages = new UndurableAges();
        var open = new List<(TimeSpan At, Moment Moment)>();
        var now = TimeSpan.Zero;
        for (var i = 0; i < 20_000; i++)
        {
            now += TimeSpan.FromTicks(random.Next(2));
            if (open.Count == 0 || random.Next(100) < (i / 1000 % 2 == 0 ? 60 : 40))
            {
                open.Add((now, ages.Begin(now)));
            }
            else
            {
                var ended = random.Next(open.Count);
                ages.End(open[ended].Moment);
                open.RemoveAt(ended);
            }

            Assert.Equal(open.Count == 0 ? null : open.Min(change => change.At), ages.Oldest);
        }
    }
}
