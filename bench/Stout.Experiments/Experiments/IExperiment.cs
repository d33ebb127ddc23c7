using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>One experiment of the paper or beyond it.</summary>
internal interface IExperiment
{
    /// <summary>The name on the command line.</summary>
    string Name { get; }

    /// <summary>The subject, in a line.</summary>
    string Title { get; }

    /// <summary>
    /// The unit that one law paces in this experiment: one lane, or all lanes of a process, as in the paper. The command line or the law may override it. On a
    /// real store it is always one lane.
    /// </summary>
    LawScope Scope { get; }

    /// <summary>Whether the figures depend on the law of the command line; some experiments have laws of their own.</summary>
    bool LawMatters => true;

    /// <summary>The modelled store of an experiment that does not use the store of the command line; otherwise null.</summary>
    ModelledStore? Model => null;

    /// <summary>How the experiment uses a real store, if at all.</summary>
    RealStoreUse OnRealStores => RealStoreUse.None;

    Task<ExperimentResult> RunAsync(ExperimentContext context);
}

/// <summary>How an experiment uses a real store.</summary>
internal enum RealStoreUse
{
    /// <summary>Not at all: the experiment needs the model.</summary>
    None,

    /// <summary>As it is: the rate that the store sustains is not measured before the experiment.</summary>
    AsItIs,

    /// <summary>The loads are shares of the rate that the store sustains, which is measured before the experiment.</summary>
    AtSharesOfCapacity,
}
