using Orleans.Runtime;

namespace Stout.Orleans;

/// <summary>
/// A provider was asked for a state that belongs to another provider of the silo. Both share a Stout client and have the same keys, so they would fence each
/// other. Nothing was read or written. Give the state a name of its own, or set <see cref="StoutGrainStorageOptions.KeyPrefix"/> of a new provider.
/// </summary>
[GenerateSerializer]
[Alias("Stout.Orleans.GrainStateOfOtherProviderException")]
public sealed class GrainStateOfOtherProviderException : GrainStateException
{
    /// <summary>Reports a state of another provider.</summary>
    /// <param name="stateName">The name of the state.</param>
    /// <param name="grainId">The grain.</param>
    /// <param name="provider">The provider that was asked.</param>
    /// <param name="owner">The provider to which the state belongs.</param>
    public GrainStateOfOtherProviderException(string stateName, GrainId grainId, string provider, string owner)
        : base(
            $"The state '{stateName}' of the grain {grainId} was not used: it belongs to the storage '{owner}', and the storage '{provider}' has the same keys.",
            stateName,
            grainId,
            null)
    {
        (Provider, Owner) = (provider, owner);
    }

    /// <summary>The provider that was asked.</summary>
    [Id(0)]
    public string Provider { get; private set; }

    /// <summary>The provider to which the state belongs: its grain class declares it there, or it was used there first.</summary>
    [Id(1)]
    public string Owner { get; private set; }
}
