using Stout.Lanes.Core;

namespace Stout.Tests.Lanes.Core;

/// <summary>The measure of when the keys of a batch came, by a naive count of each key's arrival.</summary>
public sealed class GatheringTimeTests
{
    [Fact]
    public void It_is_the_mean_of_the_keys_arrivals_from_the_last_answer_or_departure_on()
    {
        var random = new Random(1);
        var (gathering, now, began, isIdle) = (new GatheringTime(), 0.0, 0.0, false);
        List<double> arrivals = [];
        for (var i = 0; i < 10_000; i++)
        {
            now += random.Next(10);
            switch (random.Next(4))
            {
                case 0 when arrivals.Count > 0:
                    Assert.Equal(isIdle ? now - began : 0, gathering.Waited(At(now)).TotalMilliseconds, 3);
                    Assert.Equal(isIdle ? arrivals.Average(at => Math.Max(0, at - began)) : 0, gathering.MeanArrival(At(now), arrivals.Count).TotalMilliseconds, 2);
                    gathering.Begin(At(now));
                    (began, isIdle) = (now, false);
                    arrivals.Clear();
                    break;
                case 1 when !isIdle:
                    (began, isIdle) = (now, true);
                    break;
                default:
                    arrivals.Add(now);
                    break;
            }

            gathering.Note(arrivals.Count, isIdle, At(now));
        }
    }

    private static TimeSpan At(double milliseconds) => TimeSpan.FromMilliseconds(milliseconds);
}
