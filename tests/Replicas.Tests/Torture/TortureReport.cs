using Linearizability;

namespace Replicas.Tests.Torture;

/// <summary>The results of a run.</summary>
internal sealed record TortureReport
{
    public required IReadOnlyList<Verdict> Verdicts { get; init; }

    /// <summary>Counters that have lost an acknowledged addition, or count one twice.</summary>
    public required IReadOnlyList<string> WrongCounters { get; init; }

    /// <summary>Errors that no caller should see.</summary>
    public required IReadOnlyList<string> Errors { get; init; }

    public required string Figures { get; init; }

    public IEnumerable<Verdict> Violations => Verdicts.Where(verdict => verdict.Result == Linearizable.No);

    /// <summary>Registers whose check has reached its bound.</summary>
    public IEnumerable<Verdict> Undecided => Verdicts.Where(verdict => verdict.Result == Linearizable.Unknown);
}
