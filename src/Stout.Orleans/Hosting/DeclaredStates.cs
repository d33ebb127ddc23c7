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

    private readonly List<(string StateName, string Provider)> _states = [];

    private DeclaredStates()
    {
    }

    public static DeclaredStates Of(Type grainClass)
    {
        var declared = new DeclaredStates();
        // Assumes that the constructor with the most parameters makes the grain.
        foreach (var constructor in grainClass.GetConstructors().OrderByDescending(constructor => constructor.GetParameters().Length).Take(1))
        {
            foreach (var parameter in constructor.GetParameters())
                declared.Add(parameter);
        }

        if (IsGrainOfState(grainClass))
            declared._states.Add((StateOfBase, grainClass.GetCustomAttribute<StorageProviderAttribute>(inherit: true)?.ProviderName ?? Default));
        return declared;
    }

    private static string Default => ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME;

    /// <summary>Checks that no two states share a name in one provider, and returns the names of the providers.</summary>
    /// <exception cref="BadProviderConfigException">Two states of the class have one name in one of the providers, and so one key.</exception>
    public IEnumerable<string> Check(Type grainClass, IReadOnlySet<string> providers)
    {
        var twice = _states.Where(state => providers.Contains(state.Provider)).GroupBy(state => state).Where(group => group.Count() > 1).Select(group => ((string StateName, string Provider)?)group.Key).FirstOrDefault();
        return twice is null
            ? _states.Select(state => state.Provider)
            : throw new BadProviderConfigException(
                $"The grain class {grainClass.FullName} declares the state '{twice.Value.StateName}' twice in the storage '{twice.Value.Provider}'. Give each a name of its own.");
    }

    private void Add(ParameterInfo parameter)
    {
        if (parameter.GetCustomAttributes().OfType<IPersistentStateConfiguration>().FirstOrDefault() is not { } state)
            return;
        _states.Add((
            string.IsNullOrEmpty(state.StateName) ? parameter.Name! : state.StateName,
            string.IsNullOrWhiteSpace(state.StorageName) ? Default : state.StorageName));
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
