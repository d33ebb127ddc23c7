using Stout.Argon.Engine;

namespace Stout.Argon.Configuration;

/// <summary>Answers what-if questions from the profiles. A service in a trial is planned with its profile so far.</summary>
internal static class Forecasts
{
    public static IReadOnlyList<ServiceForecast> Of(ArgonCore core, IReadOnlyList<ArgonService> services, WhatIf change)
    {
        var cache = change.CacheBytes is { } bytes ? (int)Math.Min(int.MaxValue, bytes / ArgonOptions.BlockSize) : core.Settings.Frames;
        var planned = core.Planned().Select(service => service with { Trial = false }).ToList();
        var asked = services.ToList();
        var weights = services.Select(service => change.Weights.GetValueOrDefault(service, service.State.Weight)).ToList();
        if (change.NewcomerLike is { } model)
        {
            planned.Add(planned[asked.IndexOf(model)] with { BestEffort = true });
            asked.Add(model);
            weights.Add(change.NewcomerWeight);
        }

        for (var i = 0; i < planned.Count; i++)
            planned[i] = planned[i] with { Share = weights[i] / Enumerable.Range(0, planned.Count).Where(other => Meet(asked[i], asked[other])).Sum(other => weights[other]) };
        var plan = PartitionPlan.Of(core.Settings.Insulation, cache, ArgonCore.LeastPartition, planned);
        return [.. planned.Select((service, i) => new ServiceForecast(
            asked[i],
            plan.Fits[i],
            service.Share,
            (long)plan.Targets[i] * ArgonOptions.BlockSize,
            plan.Least[i] > 0 ? (long)plan.Least[i] * ArgonOptions.BlockSize : null,
            ThroughputModel.Shared(service, service.Absorbed(Math.Max(0, plan.Targets[i] - service.Buffers))) / ThroughputModel.Alone(service, cache)))];
    }

    // Whether two services compete for the time of a disk: both have used it. A service that has used no disk yet may use any, so it competes with all
    // services.
    private static bool Meet(ArgonService one, ArgonService other) =>
        ReferenceEquals(one, other) || one.State.Queues.Count == 0 || other.State.Queues.Count == 0 || one.State.Queues.Keys.Any(other.State.Queues.ContainsKey);
}
