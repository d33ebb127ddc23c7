using BenchmarkDotNet.Attributes;
using Stout.Lanes;

namespace Stout.Benchmarks.Micro;

/// <summary>How long a timer really takes that is to ring after some milliseconds: the runtime's own, and the one that lanes wait for.</summary>
public class TimerBenchmarks : IDisposable
{
    private readonly AutoResetEvent _hasRung = new(false);
    private ITimer _timer = null!;
    private TimeSpan _wait;

    /// <summary>The timer's delay.</summary>
    [Params(1, 2, 5)]
    public int Milliseconds { get; set; }

    /// <summary>Whether it is a lane's.</summary>
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

    /// <summary>Takes the timer away.</summary>
    [GlobalCleanup]
    public void Dispose()
    {
        _timer.Dispose();
        _hasRung.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>From setting it until it fires.</summary>
    [Benchmark]
    public void Ring()
    {
        _timer.Change(_wait, Timeout.InfiniteTimeSpan);
        _hasRung.WaitOne();
    }
}
