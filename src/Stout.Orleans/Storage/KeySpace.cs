using System.Collections.Concurrent;
using Orleans.Metadata;
using Orleans.Runtime;
using Stout.Orleans.Hosting;

namespace Stout.Orleans.Storage;

/// <summary>
/// The keys of providers that share a client and a prefix. A key does not name its provider, so two providers of one state would claim the same key and
/// fence each other. Therefore each state belongs to one provider: the one that its grain class declares, otherwise the first that uses the state.
/// </summary>
internal sealed class KeySpace(GrainClassMap classes, IReadOnlySet<string> providers)
{
    /// <summary>Bounds the memory of an application that makes names of states at run time. Undeclared states beyond it are not told apart.</summary>
    internal const int MostStates = 10_000;

    private readonly ConcurrentDictionary<(string StateName, GrainType GrainType), string> _owners = new();
    private int _count;

    /// <summary>The providers, at least two.</summary>
    public IReadOnlySet<string> Providers => providers;

    /// <summary>The number of states whose provider is known.</summary>
    internal int Count => Volatile.Read(ref _count);

    /// <summary>Notes that a provider uses a state of a grain type.</summary>
    /// <exception cref="GrainStateOfOtherProviderException">The state belongs to another provider.</exception>
    public void Enter(string provider, string stateName, GrainId grainId)
    {
        var state = (stateName, grainId.Type);
        Check(provider, OwnerOf(state) ?? Add(state, provider), stateName, grainId);
    }

    /// <summary>
    /// Checks that a provider may use a state, and notes nothing. Otherwise a tool that calls a wrong provider first would have the state refused to its own
    /// provider.
    /// </summary>
    /// <exception cref="GrainStateOfOtherProviderException">The state belongs to another provider.</exception>
    public void Check(string provider, string stateName, GrainId grainId) =>
        Check(provider, OwnerOf((stateName, grainId.Type)) ?? provider, stateName, grainId);

    private static void Check(string provider, string owner, string stateName, GrainId grainId)
    {
        if (owner != provider)
            throw new GrainStateOfOtherProviderException(stateName, grainId, provider, owner);
    }

    private string? OwnerOf((string StateName, GrainType GrainType) state)
    {
        if (_owners.TryGetValue(state, out var owner))
            return owner;
        return DeclaredBy(state.StateName, state.GrainType) is { } declared ? Add(state, declared) : null;
    }

    private string Add((string StateName, GrainType GrainType) state, string owner)
    {
        if (Count >= MostStates)
            return owner;
        if (_owners.TryAdd(state, owner))
            Interlocked.Increment(ref _count);
        return _owners[state];
    }

    private string? DeclaredBy(string stateName, GrainType type) =>
        classes.TryGetGrainClass(type, out var grainClass) ? DeclaredStates.Of(grainClass).ProviderOf(stateName, providers) : null;
}
