using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>One experiment of the paper or beyond it.</summary>
internal interface IExperiment
{
    /// <summary>As the command line names it.</summary>
    string Name { get; }

    /// <summary>What it shows, in a line.</summary>
    string Title { get; }

    /// <summary>What one law paces unless the command line says otherwise: the paper's experiments have a law per process, as the paper had.</summary>
    LawScope Scope { get; }

    /// <summary>Whether its figures depend on the law that is asked for; some bring their own.</summary>
    bool LawMatters => true;

    /// <summary>The modelled store where it is not the one asked for; null where it is.</summary>
    ModelledStore? Model => null;

    Task<ExperimentResult> RunAsync(ExperimentContext context);
}
