using Stout.Pacing;

namespace Stout.Tests.Pacing.Model;

/// <summary>
/// The paper's experiment (section 5.1) in virtual time: middle tiers with 2,000 keys each, whose laws pace their writes to the model store. Reads, half of
/// all requests, hit the cache and cost the store nothing. So only the writes are simulated, as a Poisson stream of half the rate of requests.
/// </summary>
internal sealed class ClosedLoop
{
    private const int KeysPerTier = 2000;
    private const int Partitions = 4;

    private readonly EventQueue _events = new();
    private readonly Random _random;
    private readonly ModelSender[][] _tiers;
    private readonly LawScope _scope;
    private readonly double _writesPerSecond;

    public ClosedLoop(double requestsPerSecond, Func<IPacingLaw> law, LawScope scope, int seed, int tiers = 32, double varies = 0)
    {
        _writesPerSecond = requestsPerSecond / 2;
        _scope = scope;
        _random = new Random(seed);
        var store = new ModelStore(Partitions, _random, varies);
        _tiers = [.. Enumerable.Range(0, tiers).Select(_ => Tier(law, store))];
    }

    public LatencyLog Log { get; } = new();

    public double MeanInterval => _tiers.SelectMany(t => t).Average(s => s.Law.Interval.TotalMilliseconds);

    public void Run(int seconds)
    {
        ScheduleWrite();
        _events.RunUntil(TimeSpan.FromSeconds(seconds));
    }

    private ModelSender[] Tier(Func<IPacingLaw> law, ModelStore store)
    {
        Outbox[] outboxes = [.. Enumerable.Range(0, Partitions).Select(p => new Outbox(p, KeysPerTier / Partitions))];
        return _scope == LawScope.Tier
            ? [new ModelSender(law(), outboxes, store, _events, Log)]
            : [.. outboxes.Select(o => new ModelSender(law(), [o], store, _events, Log))];
    }

    private void ScheduleWrite()
    {
        var gap = -Math.Log(1 - _random.NextDouble()) / _writesPerSecond;
        _events.Schedule(_events.Now + TimeSpan.FromSeconds(gap), Write);
    }

    private void Write()
    {
        var senders = _tiers[_random.Next(_tiers.Length)];
        var key = _random.Next(KeysPerTier);
        var (partition, keyOfPartition) = (key % Partitions, key / Partitions);
        if (_scope == LawScope.Tier)
            senders[0].Write(partition, keyOfPartition);
        else
            senders[partition].Write(0, keyOfPartition);
        ScheduleWrite();
    }
}

/// <summary>The scope of one law.</summary>
public enum LawScope
{
    /// <summary>One lane, as in this library.</summary>
    Lane,

    /// <summary>All lanes of a middle tier, as in the paper.</summary>
    Tier,
}
