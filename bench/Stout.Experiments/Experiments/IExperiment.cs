using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>One experiment of the paper or beyond it.</summary>
internal interface IExperiment
{
    /// <summary>As the command line names it.</summary>
    string Name { get; }

    /// <summary>The subject, in a line.</summary>
    string Title { get; }

    /// <summary>The scope of one law, unless the command line sets it. The paper's experiments have a law per process, as in the paper.</summary>
    LawScope Scope { get; }

    /// <summary>Whether its figures depend on the law that is asked for; some bring their own.</summary>
    bool LawMatters => true;

    /// <summary>The modelled store where it is not the one asked for; null where it is.</summary>
    ModelledStore? Model => null;

    /// <summary>Whether it can be run on a real store.</summary>
    RealStoreUse OnRealStores => RealStoreUse.None;

    Task<ExperimentResult> RunAsync(ExperimentContext context);
}

/// <summary>How an experiment uses a real store.</summary>
internal enum RealStoreUse
{
    /// <summary>Not at all: it needs what only a model has.</summary>
    None,

    /// <summary>Its loads are its own.</summary>
    AsItIs,

    /// <summary>Its loads are shares of what the store sustains, which has to be found out before.</summary>
    AtSharesOfCapacity,
}
