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

        var shares = Shares(asked, weights, core.Disks.Count);
        for (var i = 0; i < planned.Count; i++)
            planned[i] = planned[i] with { Share = shares[i] };
        var plan = PartitionPlan.Of(core.Settings.Insulation, cache, ArgonCore.LeastPartition, planned);
        return [.. planned.Select((service, i) => new ServiceForecast(
            asked[i],
            plan.Fits[i],
            service.Share,
            (long)plan.Targets[i] * ArgonOptions.BlockSize,
            plan.Least[i] > 0 ? (long)plan.Least[i] * ArgonOptions.BlockSize : null,
            ThroughputModel.Shared(service, plan.Targets[i]) / ThroughputModel.Alone(service, cache)))];
    }

    // Sums the weights once per disk, since a sum for each service would take time in proportion to the square of their number. A service that has used no
    // disk yet may use any, so it competes with all services.
    private static double[] Shares(List<ArgonService> services, List<double> weights, int count)
    {
        var disks = new double[count];
        var undecided = 0.0;
        for (var i = 0; i < services.Count; i++)
        {
            var used = services[i].State.Queues.Keys;
            undecided += used.Count == 0 ? weights[i] : 0;
            foreach (var disk in used)
                disks[disk] += weights[i];
        }

        var all = weights.Sum();
        return [.. services.Select((service, i) => weights[i] / service.State.Queues.Keys.Select(disk => disks[disk] + undecided).DefaultIfEmpty(all).Max())];
    }
}
