using BenchmarkDotNet.Attributes;
using Stout.Storage;
using Stout.Benchmarks.Throughput;

namespace Stout.Benchmarks.Micro;

/// <summary>The calls on a handle, with a lane and an instant store behind them. All threads' allocations count.</summary>
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

    /// <summary>A change, through to its acknowledgement.</summary>
    [Benchmark(Baseline = true, OperationsPerInvoke = Keys)]
    public async Task MarkDirty()
    {
        foreach (var handle in _workload.Handles)
            handle.MarkDirty();
        await _workload.Handles[^1].WhenSafeAsync();
    }

    /// <summary>A change and a callback, through to its release.</summary>
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

    /// <summary>A message of a key with nothing undurable: to the lane and back.</summary>
    [Benchmark(Description = "WhenSafeAsync, clean key")]
    public ValueTask WhenSafeAsync() => _workload.Handles[0].WhenSafeAsync();

    /// <summary>A lone change and the wait for its acknowledgement, whose time includes every switch between threads.</summary>
    [Benchmark(Description = "MarkDirty, WhenSafeAsync, alone")]
    public ValueTask LoneChange()
    {
        _workload.Handles[0].MarkDirty();
        return _workload.Handles[0].WhenSafeAsync();
    }
}
