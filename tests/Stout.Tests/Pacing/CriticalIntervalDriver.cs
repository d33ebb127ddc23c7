using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>A lane that tries what the store takes if all send back to back. Four keys come in each millisecond, and each request takes one.</summary>
public abstract class CriticalIntervalDriver
{
    // Where trials of every length may begin.
    private protected const double Boundary = 1024 * 16_384;

    protected CriticalIntervalDriver() => Offer(rate: 4);

    private protected CriticalInterval Critical { get; } = new(mostInFlight: 24);

    // So long do requests take, while four keys come in each millisecond.
    private protected void Take(double latency)
    {
        for (var i = 0; i < 1000; i++)
            Add(i, latency, idle: 1, passed: 1);
    }

    // Requests take 16 ms when nobody tries and with one under way.
    private protected void TryTwo(double latencyOfTwo, double lowest)
    {
        TryLong(Boundary, answers: 8, idle: 2 * lowest);
        TryLong(Boundary + 4096, answers: 8, latencyOfTwo, idle: 2 * lowest);
    }

    // Requests take 16 ms when nobody tries.
    private protected void TryLong(double at, int answers, double latency = 16, double idle = 16, double keyTime = 0, double fullness = 0)
    {
        for (var before = 400; before > 0; before--)
            Add(at - before, latency: 16, idle, passed: 16);
        TryAt(at, interval: 16, answers, latency, idle, latency / Critical.Window, keyTime: keyTime, fullness: fullness);
    }

    // A trial in which requests take 40 ms, that otherwise take so long at the lane's interval, and so long on the idle store.
    private protected void TryBeside(double at, double latency, double idle, double keys = 4)
    {
        for (var before = 400; before > 0; before--)
            Add(at - before, latency, idle, passed: 40, keys);
        TryAt(at, interval: 40, answers: 2, latency: 40, idle, passed: 40, keys);
    }

    // Answers come in the second half of the trial, one after another from its end back.
    private protected void TryAt(double at, double interval, int answers, double latency, double idle, double passed, double keys = 4, double keyTime = 0, double fullness = 0)
    {
        Critical.Advance(at, interval, leastInterval: 0, perKey: 1, mayTry: true);
        var length = 1;
        while (Critical.IsTriedAt(at + length))
            length++;
        for (var after = 1; after <= answers; after++)
            Add(at + length - after, latency, idle, passed, keys, keyTime, fullness);
        Critical.Advance(at + (2 * length), interval, leastInterval: 0, perKey: 1, mayTry: false);
    }

    private protected bool BeginsAt(double time, double interval = 10, double perKey = 1, double leastInterval = 0)
    {
        Critical.Advance(time, interval, leastInterval, perKey, mayTry: true);
        return Critical.IsTriedAt(time);
    }

    private protected void Advance(double now, double interval) => Critical.Advance(now, interval, leastInterval: 0, perKey: 1, mayTry: true);

    // So many keys come in each millisecond.
    private protected void Offer(double rate)
    {
        for (var i = 0; i < 1000; i++)
            Add(sentAt: i, latency: 1, idle: 1, passed: 1, keys: rate);
    }

    private protected void Add(params (double SentAfter, double Gap)[] answers)
    {
        foreach (var (sentAfter, gap) in answers)
            Add(Boundary + sentAfter, gap, idle: gap, passed: gap);
    }

    private protected void Add(double sentAt, double latency, double idle, double passed, double keys = 4, double keyTime = 0, double fullness = 0)
    {
        Critical.Add(sentAt, latency, passed, keys);
        if (Critical.IsMeasuredAt(sentAt))
            Critical.Measure(new TrialAnswer(latency, passed, idle, Lowest: idle / 2, keyTime, fullness));
    }
}
