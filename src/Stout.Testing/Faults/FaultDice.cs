namespace Stout.Testing;

/// <summary>What happens to one request.</summary>
/// <param name="Faults">The fault of each key.</param>
/// <param name="Latency">How long it is on its way.</param>
/// <param name="DiesBefore">Whether the store dies when the request comes.</param>
/// <param name="DiesAfter">Whether the store dies when it has applied it.</param>
internal sealed record FaultPlan(StoreFault[] Faults, TimeSpan Latency, bool DiesBefore, bool DiesAfter);

/// <summary>Decides what happens to each request: the script first, then chance.</summary>
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
        // The script is the test's code, which may call the store again: never under the lock.
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
