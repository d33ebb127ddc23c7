using Linearizability;

namespace Stout.Orleans.Chaos;

/// <summary>The results of a run.</summary>
internal sealed record ChaosReport
{
    /// <summary>The verdict of each document's writes and confirmed reads.</summary>
    public required IReadOnlyList<Verdict> Verdicts { get; init; }

    /// <summary>Contradictions between the answers and the store.</summary>
    public required IReadOnlyList<string> Contradictions { get; init; }

    /// <summary>Errors that no caller should see.</summary>
    public required IReadOnlyCollection<string> Errors { get; init; }

    /// <summary>The number of requests that were refused because a newer owner had the document.</summary>
    public required int Fenced { get; init; }

    /// <summary>The number of values that grains saved when their silo left.</summary>
    public required int EndSaves { get; init; }

    public required int Faults { get; init; }

    public required string Figures { get; init; }

    /// <summary>All violations: histories that are not linearizable, contradictions and errors.</summary>
    public IEnumerable<string> Violations =>
        [.. Verdicts.Where(verdict => verdict.Result == Linearizable.No).Select(verdict => verdict.ToString()), .. Contradictions, .. Errors];

    /// <summary>The documents whose check reached its bound on steps without a result.</summary>
    public IEnumerable<Verdict> Undecided => Verdicts.Where(verdict => verdict.Result == Linearizable.Unknown);
}
