using BenchmarkDotNet.Attributes;
using Stout.Pacing;

namespace Stout.Benchmarks.Micro;

/// <summary>
/// Measures the time that a pacing law needs to process an answer and to decide its interval. The goal is less than a microsecond, and no allocation.
/// </summary>
[MemoryDiagnoser]
public class LawBenchmarks
{
    private IPacingLaw _law = null!;
    private int _answers;

    /// <summary>The law's name.</summary>
    [ParamsSource(nameof(Laws))]
    public string Law { get; set; } = "";

    /// <summary>All built-in laws.</summary>
    public static IEnumerable<string> Laws => PacingLaws.Names;

    /// <summary>Makes the law.</summary>
    [GlobalSetup]
    public void Setup() => _law = PacingLaws.Named(Law)();

    /// <summary>
    /// Reports one answer to the law, which may decide a new interval. Latency rises and falls, so that the law lengthens and shortens its interval.
    /// </summary>
    [Benchmark]
    public TimeSpan RequestAnswered()
    {
        var now = TimeSpan.FromMilliseconds(++_answers);
        _law.RequestAnswered(new StoreRequest
        {
            Kind = StoreRequestKind.Write,
            Outcome = StoreRequestOutcome.Answered,
            Operations = 64,
            Bytes = 16_384,
            SentAt = now - TimeSpan.FromMilliseconds(1 + (_answers % 200)),
            AnsweredAt = now,
            Interval = _law.Interval,
        });
        return _law.Interval;
    }
}
