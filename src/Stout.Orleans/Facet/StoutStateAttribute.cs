using Orleans.Runtime;

namespace Stout.Orleans;

/// <summary>Injects a state into the constructor of a grain: the parameter is an <see cref="IStoutState{T}"/>.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class StoutStateAttribute : Attribute, IFacetMetadata, IPersistentStateConfiguration
{
    /// <summary>Names the state.</summary>
    /// <param name="stateName">The state's name. The states of a grain class in one storage have different names.</param>
    /// <param name="storageName">The name of a Stout grain storage; null, the default, for the default grain storage.</param>
    public StoutStateAttribute(string stateName, string? storageName = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(stateName);
        StateName = stateName;
        StorageName = storageName;
    }

    /// <summary>The state's name.</summary>
    public string StateName { get; }

    /// <summary>The name of the grain storage; null for the default grain storage.</summary>
    public string? StorageName { get; }

    /// <summary>
    /// Whether every reply waits until the store has confirmed that this activation still owns the state. Then calls are linearizable even while a second
    /// activation exists. Each reply waits for a small read of the store, which concurrent replies share. Default: false, so a call that changed nothing
    /// replies from memory.
    /// </summary>
    public bool ConfirmReads { get; init; }
}
