using Authors.Editing;
using Stout.Experiments.Experiments;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Tests.Live;

/// <summary>Returns scripted figures for each scenario, and records the order of the scenarios.</summary>
/// <param name="milliseconds">The latency of every write; null to answer no write.</param>
/// <param name="stopAfter">The number of runs after which the runner is stopped.</param>
/// <param name="grows">Whether the queue of requests grows in a scenario; null if it never does.</param>
internal sealed class ScriptedRunner(Func<Scenario, double?> milliseconds, int stopAfter = int.MaxValue, Func<Scenario, bool>? grows = null) : IRunner
{
    public List<Scenario> Asked { get; } = [];

    public int Parallel => 1;

    public Task<RunFigures> RunAsync(Scenario scenario, CancellationToken cancellationToken)
    {
        if (Asked.Count >= stopAfter)
            throw new OperationCanceledException();
        Asked.Add(scenario);
        var run = new RunFigures(scenario);
        if (milliseconds(scenario) is { } latency)
        {
            for (var i = 0; i < 1_000; i++)
                run.Writes.Record(TimeSpan.FromMilliseconds(latency));
        }

        var perSample = grows?.Invoke(scenario) == true ? 1_000_000 : 0;
        run.Waiting.AddRange(Enumerable.Range(0, 30).Select(sample => 1.0 + (sample * perSample)));
        run.Intervals.AddRange(Enumerable.Repeat(1.0, 30));
        return Task.FromResult(run);
    }

    public Task<EditingFigures> ReplayAsync(IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings settings, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public ValueTask DisposeAsync() => default;
}
