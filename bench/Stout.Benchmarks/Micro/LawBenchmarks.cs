using BenchmarkDotNet.Attributes;
using Stout.Pacing;

namespace Stout.Benchmarks.Micro;

/// <summary>The time that a law needs for an answer and for a decision. The goal is less than a microsecond, and no allocation.</summary>
[MemoryDiagnoser]
public class LawBenchmarks
{
    private IPacingLaw _law = null!;
    private int _answers;

    /// <summary>The law.</summary>
    [ParamsSource(nameof(Laws))]
    public string Law { get; set; } = "";

    /// <summary>All built-in laws.</summary>
    public static IEnumerable<string> Laws => PacingLaws.Names;

    /// <summary>Makes the law.</summary>
    [GlobalSetup]
    public void Setup() => _law = PacingLaws.Named(Law)();

    /// <summary>One answer, and the decision if it is time for one. Latency rises and falls, so that the law lengthens and shortens its interval.</summary>
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
