using Stout.Experiments.Experiments.Goals;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;

namespace Stout.Experiments.Experiments;

/// <summary>The document of an experiment that ran with some settings.</summary>
internal static class RunDocument
{
    public static Document Of(IExperiment experiment, RunSettings settings, ExperimentResult result) => new()
    {
        Experiment = experiment.Name,
        Title = experiment.Title,
        Store = settings.Store,
        Model = settings.OnModel ? experiment.Model ?? new ModelledStore(settings.Model.Name, settings.Model.Description) : null,
        Law = settings.Law.Name,
        LawMatters = experiment.LawMatters,
        Scope = NameOf(settings.ScopeOf(experiment)),
        Seed = settings.Seed,
        Arguments = string.Join(' ', ArgumentsOf(experiment, settings)),
        Stem = string.Join('-', StemOf(experiment, settings)),
        Result = result,
    };

    private static IEnumerable<string> ArgumentsOf(IExperiment experiment, RunSettings settings)
    {
        yield return $"{experiment.Name} --store {settings.Store}";
        if (settings.OnModel && settings.Model != StoreKinds.One)
            yield return $"--model {settings.Model.Name}";
        // Names the default law too, since the default may change.
        if (experiment.LawMatters)
            yield return $"--law {settings.Law.Name}";
        if (settings.Scope is { } scope)
            yield return $"--scope {NameOf(scope)}";
        if (experiment is GoalsExperiment && settings.Random is { } random)
            yield return $"--random --count {random.Count}{(random.Drift ? " --drift" : "")}";
        if (experiment is Editing && settings.HasOtherHistories)
            yield return "--histories FOLDER";
        if (experiment is Point && settings.OnModel)
            yield return $"--rate {Table.Text(settings.Point.Rate)} --tiers {settings.Point.Tiers} --seconds {settings.Point.Seconds}";
        if (settings.OnModel && settings.Seeds > 1)
            yield return $"--rounds {settings.Seeds}";
        if (!settings.OnModel)
            yield return FormattableString.Invariant($"--rounds {settings.Live.Rounds} --tiers {settings.Live.Tiers} --documents {settings.Live.Documents} --seconds {settings.Live.Measured.TotalSeconds}");
        // A seed is any 32 bits. A negative number would be taken for an option, so it is written in hexadecimal.
        yield return settings.Seed < 0 ? FormattableString.Invariant($"--seed 0x{settings.Seed:x8}") : $"--seed {settings.Seed}";
    }

    private static IEnumerable<string> StemOf(IExperiment experiment, RunSettings settings)
    {
        yield return experiment.Name;
        if (!settings.OnModel)
            yield return settings.Store;
        else if (settings.Model != StoreKinds.One)
            yield return settings.Model.Name;
        if (experiment.LawMatters)
            yield return settings.Law.Name;
        if (experiment is GoalsExperiment && settings.Random is { } random)
            yield return random.Drift ? "drift" : "random";
        if (settings.Scope is { } scope && scope != (settings with { Scope = null }).ScopeOf(experiment))
            yield return NameOf(scope);
    }

    private static string NameOf(Enum scope) => scope.ToString().ToLowerInvariant();
}
