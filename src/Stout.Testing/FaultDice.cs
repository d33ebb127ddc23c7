namespace Stout.Testing;

/// <summary>The faults of one request.</summary>
/// <param name="Faults">The fault of each key.</param>
/// <param name="Latency">The delay before the request reaches the store.</param>
/// <param name="DiesBefore">Whether the store dies before it applies the request.</param>
/// <param name="DiesAfter">Whether the store dies after it has applied the request.</param>
internal sealed record FaultPlan(StoreFault[] Faults, TimeSpan Latency, bool DiesBefore, bool DiesAfter);

/// <summary>Chooses the faults of each request: by script first, then at random.</summary>
internal sealed class FaultDice(int seed)
{
    private readonly Lock _lock = new();
    private readonly Random _random = new(seed);
    private readonly Queue<StoreFault> _script = [];
    private readonly long[] _counts = new long[StoreFaults.Count];

    public void Script(StoreFault fault, int requests)
    {
        lock (_lock)
        {
            for (var i = 0; i < requests; i++)
                _script.Enqueue(fault);
        }
    }

    public long CountOf(StoreFault fault)
    {
        lock (_lock)
            return _counts[(int)fault];
    }

    public FaultPlan Roll(FaultyStoreOptions options, IReadOnlyList<PartitionKey> keys, Func<PartitionKey, StoreFault>? keyScript)
    {
        // The script is the test's code and may call the store again, so it must not run inside the lock.
        var scripted = keys.Select(key => keyScript?.Invoke(key) ?? StoreFault.None).ToArray();
        lock (_lock)
        {
            var byScript = _script.TryDequeue(out var request);
            if (!byScript)
                request = options.Requests.Pick(_random.NextDouble());
            var faults = new StoreFault[keys.Count];
            for (var i = 0; i < faults.Length; i++)
            {
                var roll = _random.NextDouble();
                faults[i] = scripted[i] != StoreFault.None ? scripted[i]
                    : byScript || request != StoreFault.None ? request
                    : options.Keys.Pick(roll);
                _counts[(int)faults[i]]++;
            }

            var latency = options.MinLatency + ((options.MaxLatency - options.MinLatency) * _random.NextDouble());
            var death = _random.NextDouble();
            var (diesBefore, diesAfter) = (death < options.Death / 2, death >= options.Death / 2 && death < options.Death);
            return new FaultPlan(faults, latency, diesBefore, diesAfter);
        }
    }
}
