using BenchmarkDotNet.Attributes;
using Stout.Lanes.Shell;

namespace Stout.Benchmarks.Micro;

/// <summary>Measures the real time until a timer of a few milliseconds fires, for the runtime's own timer and for the timer of lanes.</summary>
public class TimerBenchmarks : IDisposable
{
    private readonly AutoResetEvent _hasRung = new(false);
    private ITimer _timer = null!;
    private TimeSpan _wait;

    /// <summary>The timer's delay.</summary>
    [Params(1, 2, 5)]
    public int Milliseconds { get; set; }

    /// <summary>Whether the timer is the one of lanes; otherwise it is the runtime's own.</summary>
    [Params(false, true)]
    public bool Punctual { get; set; }

    /// <summary>Makes the timer.</summary>
    [GlobalSetup]
    public void Setup()
    {
        var time = Punctual ? PunctualTime.InPlaceOf(TimeProvider.System) : TimeProvider.System;
        _timer = time.CreateTimer(_ => _hasRung.Set(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _wait = TimeSpan.FromMilliseconds(Milliseconds);
    }

    /// <summary>Disposes of the timer.</summary>
    [GlobalCleanup]
    public void Dispose()
    {
        _timer.Dispose();
        _hasRung.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>Measures the time from setting the timer until it fires.</summary>
    [Benchmark]
    public void Ring()
    {
        _timer.Change(_wait, Timeout.InfiniteTimeSpan);
        _hasRung.WaitOne();
    }
}
