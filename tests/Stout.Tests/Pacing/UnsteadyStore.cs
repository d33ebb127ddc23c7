using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>
/// A store whose speed, load and neighbors change in spells of 0.1 to 60 s. One request in two hundred is lost, and one in a hundred is refused. The
/// lane sends after the law's interval, or later if the application has nothing to send. Keys beyond the largest batch wait.
/// </summary>
internal sealed class UnsteadyStore(int seed)
{
    private const double Bytes = 100;

    private readonly Random _random = new(seed);
    private double _now;
    private double _spellEnds;
    private double _perRequest;
    private double _perKey;
    private double _queue;
    private double _rate;
    private double _waiting;

    /// <summary>The answer to the law's next batch.</summary>
    public StoreRequest Answer(DelayLaw law)
    {
        if (_now >= _spellEnds)
            BeginSpell();
        var gap = Math.Max(law.Interval.TotalMilliseconds, Scattered(1 / _rate));
        _now += gap;
        _waiting += gap * _rate;
        var keys = (int)Math.Clamp(_waiting, 1, law.MaxBatchKeys);
        _waiting = Math.Max(0, _waiting - keys);
        var latency = Scattered(_perRequest + (_perKey * keys)) + (_queue * _random.NextDouble());
        var outcome = _random.Next(200) switch
        {
            0 => StoreRequestOutcome.Unknown,
            1 or 2 => StoreRequestOutcome.Overloaded,
            _ => StoreRequestOutcome.Answered,
        };
        var limited = gap > law.Interval.TotalMilliseconds;
        return LawDriver.Request((long)(Bytes * keys), latency, gap, _now + latency, limited, outcome) with { Operations = keys };
    }

    // A spell lasts 0.1 to 60 s. One spell in 20 begins after a pause of 1 ms to 28 hours without requests.
    private void BeginSpell()
    {
        _now += _random.Next(20) == 0 ? OfAnySize(1, 1e8) : 0;
        _spellEnds = _now + OfAnySize(100, 60_000);
        (_perRequest, _perKey, _queue, _rate) = (OfAnySize(0.05, 500), OfAnySize(1e-4, 10), OfAnySize(1e-3, 3_000), OfAnySize(1e-3, 100));
    }

    private double OfAnySize(double least, double most) => least * Math.Pow(most / least, _random.NextDouble());

    private double Scattered(double mean) => -mean * Math.Log(1 - _random.NextDouble());
}
