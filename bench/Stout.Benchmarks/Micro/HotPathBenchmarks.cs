using BenchmarkDotNet.Attributes;
using Stout.Storage;
using Stout.Benchmarks.Throughput;

namespace Stout.Benchmarks.Micro;

/// <summary>Measures calls on handles, with a lane and the store in memory behind them. The allocations of all threads count.</summary>
[MemoryDiagnoser]
public class HotPathBenchmarks
{
    private const int Keys = 10_000;

    private Workload _workload = null!;

    /// <summary>Opens the keys.</summary>
    [GlobalSetup]
    public async Task Setup() => _workload = await Workload.OpenAsync(new InMemoryStore(), Keys, 64, Workload.NoBatching(8));

    /// <summary>Closes the client.</summary>
    [GlobalCleanup]
    public async Task Cleanup() => await _workload.DisposeAsync();

    /// <summary>Changes every key, and waits until the last one is durable.</summary>
    [Benchmark(Baseline = true, OperationsPerInvoke = Keys)]
    public async Task MarkDirty()
    {
        foreach (var handle in _workload.Handles)
            handle.MarkDirty();
        await _workload.Handles[^1].WhenSafeAsync();
    }

    /// <summary>Changes every key, and waits until the callbacks of all changes have run.</summary>
    [Benchmark(Description = "MarkDirty, SendMessageWhenSafe", OperationsPerInvoke = Keys)]
    public async Task SendMessageWhenSafe()
    {
        var countdown = new AsyncCountdown(Keys);
        foreach (var handle in _workload.Handles)
        {
            handle.MarkDirty();
            handle.SendMessageWhenSafe(countdown, static (countdown, _) => countdown.Signal());
        }

        await countdown.Zero;
    }

    /// <summary>Waits for a key that has no undurable change: a message goes to the lane and back.</summary>
    [Benchmark(Description = "WhenSafeAsync, clean key")]
    public ValueTask WhenSafeAsync() => _workload.Handles[0].WhenSafeAsync();

    /// <summary>Makes a lone change and waits for its acknowledgement. The time includes every switch between threads.</summary>
    [Benchmark(Description = "MarkDirty, WhenSafeAsync, alone")]
    public ValueTask LoneChange()
    {
        _workload.Handles[0].MarkDirty();
        return _workload.Handles[0].WhenSafeAsync();
    }
}
