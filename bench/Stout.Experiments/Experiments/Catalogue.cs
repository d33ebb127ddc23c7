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

    /// <summary>The comparison of laws. It is not among <see cref="All"/>, since its grid is large.</summary>
    public static IExperiment Laws { get; } = new LawsExperiment();

    public static IEnumerable<IExperiment> Known => [.. All, Laws, new GoalsExperiment(), new Point(), new CalibrateExperiment()];

    /// <summary>All experiments that can be run by name, including the Director's, which use neither a store nor a law.</summary>
    public static IEnumerable<IExperiment> Named => [.. Known, .. Director.DirectorCatalogue.All];

    public static IExperiment? Find(string name) => Named.FirstOrDefault(experiment => experiment.Name == name);
}
