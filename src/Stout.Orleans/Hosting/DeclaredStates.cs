using System.Collections.Concurrent;
using System.Reflection;
using Orleans.Providers;
using Orleans.Runtime;
using Orleans.Storage;

namespace Stout.Orleans.Hosting;

/// <summary>The states that a grain class declares: in its constructors and by its base class.</summary>
internal sealed class DeclaredStates
{
    /// <summary>Orleans' name for the state of a class that derives from <c>Grain&lt;T&gt;</c>.</summary>
    private const string StateOfBase = "state";

    // Bounded by the application's grain classes.
    private static readonly ConcurrentDictionary<Type, DeclaredStates> Known = new();

    private readonly List<(string StateName, string Provider, bool IsFacet)> _states = [];

    private DeclaredStates()
    {
    }

    public static DeclaredStates Of(Type grainClass) => Known.GetOrAdd(grainClass, Find);

    private static DeclaredStates Find(Type grainClass)
    {
        var declared = new DeclaredStates();
        // Assumes that the constructor with the most parameters makes the grain.
        foreach (var constructor in grainClass.GetConstructors().OrderByDescending(constructor => constructor.GetParameters().Length).Take(1))
        {
            foreach (var parameter in constructor.GetParameters())
                declared.Add(parameter);
        }

        if (IsGrainOfState(grainClass))
            declared._states.Add((StateOfBase, grainClass.GetCustomAttribute<StorageProviderAttribute>(inherit: true)?.ProviderName ?? Default, false));
        return declared;
    }

    private static string Default => ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME;

    /// <summary>
    /// Checks that no two states share a name in one provider, nor two persistent states in any, and returns the names of the providers. Orleans
    /// hands persistent states over by their names alone when a grain migrates. So one of the two would get the value and ETag of the other.
    /// </summary>
    /// <exception cref="BadProviderConfigException">Two states of the class have one name.</exception>
    public IEnumerable<string> Check(Type grainClass, IReadOnlySet<string> providers)
    {
        var mine = _states.Where(state => providers.Contains(state.Provider));
        if (mine.FirstOrDefault(state => IsTwice(state, other => other.Provider == state.Provider)) is { StateName: not null } twice)
        {
            throw new BadProviderConfigException(
                $"The grain class {grainClass.FullName} declares the state '{twice.StateName}' twice in the storage '{twice.Provider}'. Give each a name of its own.");
        }

        if (mine.FirstOrDefault(state => IsTwice(state, other => !state.IsFacet && !other.IsFacet)) is { StateName: not null } mixed)
        {
            throw new BadProviderConfigException(
                $"The grain class {grainClass.FullName} declares the persistent state '{mixed.StateName}' in several storages, and Orleans would mix them when a grain migrates. "
                + "Give each a name of its own.");
        }

        return _states.Select(static state => state.Provider);
    }

    /// <summary>The first of some providers in which the class declares a state; null if it declares the state in another one, or not at all.</summary>
    public string? ProviderOf(string stateName, IReadOnlySet<string> providers) =>
        _states.Where(state => state.StateName == stateName && providers.Contains(state.Provider)).Select(static state => state.Provider).FirstOrDefault();

    /// <summary>A state that the class declares in two of some providers; null without such a state.</summary>
    public (string StateName, string Provider, string Other)? SharedIn(IReadOnlySet<string> providers)
    {
        foreach (var (stateName, provider, _) in _states)
        {
            if (ProviderOf(stateName, providers) is { } first && first != provider && providers.Contains(provider))
                return (stateName, first, provider);
        }

        return null;
    }

    private bool IsTwice((string StateName, string Provider, bool IsFacet) state, Func<(string StateName, string Provider, bool IsFacet), bool> isSame) =>
        _states.Count(other => other.StateName == state.StateName && isSame(other)) > 1;

    private void Add(ParameterInfo parameter)
    {
        if (parameter.GetCustomAttributes().OfType<IPersistentStateConfiguration>().FirstOrDefault() is not { } state)
            return;
        _states.Add((
            string.IsNullOrEmpty(state.StateName) ? parameter.Name! : state.StateName,
            string.IsNullOrWhiteSpace(state.StorageName) ? Default : state.StorageName,
            state is StoutStateAttribute));
    }

    private static bool IsGrainOfState(Type grainClass)
    {
        for (var type = grainClass.BaseType; type is not null; type = type.BaseType)
        {
            if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Grain<>))
                return true;
        }

        return false;
    }
}
