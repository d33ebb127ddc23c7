using Stout.Experiments.Experiments.Goals;

namespace Stout.Experiments.Experiments;

/// <summary>The experiments by name. A new experiment is added here.</summary>
internal static class Catalogue
{
    /// <summary>The experiments that <c>all</c> runs, in order.</summary>
    public static IReadOnlyList<IExperiment> All { get; } =
    [
        new Verify(), new Table1(), new Figure6(), new Figure7(), new Figure8(reads: false), new Figure8(reads: true), new Figure10(), new Figure11(),
        new FairnessExperiment(), new Figure12(), new Sds(), new Figure13(), new Figure14(), new Runaway(), new Reasons(), new Mixed(), new SlowPartition(), new Editing(), new Cost(),
    ];

    /// <summary>All experiments that can be run by name.</summary>
    public static IEnumerable<IExperiment> Known => [.. All, new LawsOnStore(), new GoalsExperiment(), new Point(), new CalibrateExperiment()];

    /// <summary>The names of all experiments, in order.</summary>
    public static IEnumerable<string> Names => Known.Select(experiment => experiment.Name);

    public static IExperiment? Find(string name) => Known.FirstOrDefault(experiment => experiment.Name == name);
}
