using Stout.Storage;

namespace Stout.Pacing;

/// <summary>
/// Factories of the built-in pacing laws, for <see cref="StoutOptions.Pacing"/>. Each factory copies and validates its parameters at creation, and
/// creates a new law for each lane.
/// </summary>
public static class PacingLaws
{
    // Each entry lets its argument change the default parameters before it creates the factory.
    private static readonly Dictionary<string, Func<Action<object>, Func<IPacingLaw>>> ByName = new(StringComparer.OrdinalIgnoreCase)
    {
        [nameof(Delay)] = static change => Delay(Changed(new DelayLawParameters(), change)),
        [nameof(Window)] = static change => Window(Changed(new WindowLawParameters(), change)),
        [nameof(NoBatching)] = static change => NoBatching(Changed(new NoBatchingLawParameters(), change)),
        [nameof(FixedInterval)] = static change => FixedInterval(Changed(new FixedIntervalLawParameters(), change)),
        [nameof(Paper)] = static change => Paper(Changed(new PaperLawParameters(), change)),
    };

    /// <summary>The names of the laws, which are the names of this class's methods.</summary>
    public static IReadOnlyCollection<string> Names => ByName.Keys;

    internal static string OneOf => $"it must be one of {string.Join(", ", Names)}";

    /// <summary>The interval follows the queueing delay in the store: <see cref="DelayLaw"/>, the default on a store that processes share.</summary>
    /// <param name="parameters">The law's parameters; null for the defaults.</param>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public static Func<IPacingLaw> Delay(DelayLawParameters? parameters = null)
    {
        var kept = (parameters ?? new()) with { };
        kept.Validate();
        return () => new DelayLaw(kept);
    }

    /// <summary>A fixed number of requests in flight; a batch leaves as soon as the limit allows: <see cref="WindowLaw"/>.</summary>
    /// <inheritdoc cref="Delay" path="/param|/exception"/>
    public static Func<IPacingLaw> Window(WindowLawParameters? parameters = null)
    {
        var kept = (parameters ?? new()) with { };
        kept.Validate();
        return () => new WindowLaw(kept);
    }

    /// <summary>Each change leaves as soon as the in-flight limit allows: <see cref="NoBatchingLaw"/>.</summary>
    /// <inheritdoc cref="Delay" path="/param|/exception"/>
    public static Func<IPacingLaw> NoBatching(NoBatchingLawParameters? parameters = null)
    {
        var kept = (parameters ?? new()) with { };
        kept.Validate();
        return () => new NoBatchingLaw(kept);
    }

    /// <summary>A batch leaves after each interval of fixed length: <see cref="FixedIntervalLaw"/>.</summary>
    /// <inheritdoc cref="Delay" path="/param|/exception"/>
    public static Func<IPacingLaw> FixedInterval(FixedIntervalLawParameters? parameters = null)
    {
        var kept = (parameters ?? new()) with { };
        kept.Validate();
        return () => new FixedIntervalLaw(kept);
    }

    /// <summary>The paper's adaptive law (section 3.2): <see cref="PaperLaw"/>.</summary>
    /// <inheritdoc cref="Delay" path="/param|/exception"/>
    public static Func<IPacingLaw> Paper(PaperLawParameters? parameters = null)
    {
        var kept = (parameters ?? new()) with { };
        kept.Validate();
        return () => new PaperLaw(kept);
    }

    /// <summary>The law with a given name and default parameters.</summary>
    /// <param name="name">One of <see cref="Names"/>, in upper or lower case.</param>
    /// <exception cref="InvalidOptionException">No built-in law has this name.</exception>
    public static Func<IPacingLaw> Named(string name) => Named(name, static _ => { });

    /// <summary>
    /// The law if the options name no law. The proxy of a store that one process has alone knows best how many requests in flight the store needs.
    /// </summary>
    internal static IPacingLaw Default(StorageCapabilities store, IStorePartition partition) =>
        store.Shared ? new DelayLaw(new DelayLawParameters()) : new PartitionLaw(partition);

    /// <summary>The law with a given name. <paramref name="change"/> may change its default parameters.</summary>
    internal static Func<IPacingLaw> Named(string name, Action<object> change)
    {
        ArgumentNullException.ThrowIfNull(name);
        return ByName.TryGetValue(name, out var make)
            ? make(change)
            : throw new InvalidOptionException(nameof(name), OneOf);
    }

    private static T Changed<T>(T parameters, Action<object> change)
        where T : class
    {
        change(parameters);
        return parameters;
    }
}
