using Stout.Director.Loads;
using Stout.Director.Models;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Baselines;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Tool.WhatIf;

/// <summary>Simulates a recorded load under several policies and server types.</summary>
internal sealed class Comparison(ServiceObjective objective, RecordedWorkload workload, IReadOnlyList<Alternative> rows, IReadOnlyList<ModelFile> models)
{
    public static IReadOnlyList<string> Columns { get; } = ["alternative", "servers", "most", "cost", "intervals met", "violations", "bins moved"];

    public ServiceObjective Objective => objective;

    public RecordedWorkload Workload => workload;

    public IReadOnlyList<ModelFile> Models => models;

    public IReadOnlyList<Alternative> Rows => rows;

    public static Comparison Make(Recording recording, ServiceObjective objective, IReadOnlyList<ModelFile> models, int seed, IProgress<double> progress, CancellationToken cancellationToken)
    {
        var workload = RecordedWorkload.Of(recording);
        SimulationResult.CheckInterval(objective.Interval, workload.Length);
        var bytes = recording.Plans().First().Observation.BinBytes;
        // A Director that only observed would do nothing here either.
        var recorded = recording.Settings.Policy with { SlowBudget = objective.SlowBudget, Mode = DirectorMode.Act };
        var fitted = models.Select(model => model.For(objective, recorded.ReadFanOut)).ToList();
        var runs = new List<(string Name, SimulationSettings Settings)>();
        foreach (var types in Choices(fitted))
        {
            var suffix = fitted.Count > 1 ? " on " + string.Join(" and ", types.Select(type => type.Type.Name)) : "";
            SimulationSettings Of(DirectorPolicy policy) => Settings(policy, types, workload, bytes, objective, seed);
            runs.Add(("the recorded policy" + suffix, Of(recorded)));
            runs.Add(("default policy" + suffix, Of(Ours(recorded, 0.1))));
            runs.Add(("default, 30 % overprovisioning" + suffix, Of(Ours(recorded, 0.3))));
            runs.Add(("default, no standbys" + suffix, Of(Ours(recorded, 0.1) with { Standbys = 0, Surge = 0 })));
            runs.Add(("the SCADS paper's policy" + suffix, Of(Like(DirectorPolicy.Paper(), recorded))));
            if (types.Count > 1)
                continue;
            var peak = Of(recorded);
            var servers = Peak(workload, types[0], recorded);
            runs.Add(("static, sized for the peak" + suffix, With(peak, types[0], recorded, BaselineKind.Static, servers)));
            runs.Add(("static, peak at 70 %" + suffix, With(peak, types[0], recorded, BaselineKind.Static, (int)Math.Ceiling(servers / 0.7))));
            runs.Add(("autoscaler at 70 %, bins by count" + suffix, With(peak, types[0], recorded, BaselineKind.Hpa, null)));
        }

        var results = new List<Alternative>();
        foreach (var (name, settings) in runs)
        {
            results.Add(new Alternative(name, objective, SimulationRun.Run(settings, null, cancellationToken)));
            progress.Report((double)results.Count / runs.Count);
        }

        return new Comparison(objective, workload, results, fitted);
    }

    // The sets of server types to simulate: each type alone, and all types together.
    private static IEnumerable<IReadOnlyList<ModelFile>> Choices(List<ModelFile> models) =>
        models.Count == 1 ? [models] : [.. models.Select(model => new[] { model }), models];

    private static DirectorPolicy Ours(DirectorPolicy recorded, double overprovisioning) => Like(DirectorPolicy.Default with { Overprovisioning = overprovisioning }, recorded);

    // Copies the parameters that belong to the cluster, not to the policy.
    private static DirectorPolicy Like(DirectorPolicy policy, DirectorPolicy recorded) => policy with
    {
        BootTime = recorded.BootTime,
        ChargeInterval = recorded.ChargeInterval,
        CopyRate = recorded.CopyRate,
        LeastReplicas = recorded.LeastReplicas,
        ReadFanOut = recorded.ReadFanOut,
        LeastServers = recorded.LeastServers,
        MostServers = recorded.MostServers,
        SlowBudget = recorded.SlowBudget,
    };

    private static int Peak(RecordedWorkload workload, ModelFile model, DirectorPolicy policy)
    {
        var most = Enumerable.Range(0, (int)(workload.Length.TotalSeconds / 20)).Max(i => Load(workload.Total(i * 20), model, policy));
        return Math.Max(policy.LeastReplicas, (int)Math.Ceiling(most));
    }

    private static double Load(OperationRates rates, ModelFile model, DirectorPolicy policy) =>
        model.Type.SteadyState.Utilization(rates.Gets * policy.ReadFanOut, rates.Puts * policy.LeastReplicas);

    private static SimulationSettings With(SimulationSettings settings, ModelFile model, DirectorPolicy policy, BaselineKind kind, int? servers)
    {
        var least = Math.Max(policy.LeastServers, policy.LeastReplicas);
        var baseline = new BaselineSettings(kind, model.Type) { LeastServers = least, SlowBudget = policy.SlowBudget, CopyRate = policy.CopyRate };
        return settings with { Controller = cluster => new BaselineController(baseline, cluster), FirstServers = Math.Max(least, servers ?? settings.FirstServers) };
    }

    private static SimulationSettings Settings(DirectorPolicy policy, IReadOnlyList<ModelFile> models, RecordedWorkload workload, IReadOnlyList<long> bytes, ServiceObjective objective, int seed)
    {
        var director = new DirectorSettings(policy, [.. models.Select(model => model.Type)], workload.Bins);
        var first = workload.Total(0);
        return DirectorScenario.Of(models, director, workload, bytes, seed) with { Objective = objective, FirstServers = Math.Min(policy.MostServers, DirectorScenario.Servers(director.Types[0], policy, first.Gets, first.Puts)) };
    }
}
