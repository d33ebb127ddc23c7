using Orleans.Runtime;

namespace Stout.Orleans.Storage;

/// <summary>
/// The keys of states: service, state, grain type and grain key, with '/' between them. The grain type is part of the key, since Orleans' own name of a
/// state does not tell two grain classes apart.
/// </summary>
internal static class StateKeys
{
    /// <summary>The key of a state. Different states have different keys.</summary>
    /// <exception cref="InvalidKeyException">The key takes more than <see cref="PartitionKey.MaxBytes"/> bytes.</exception>
    public static PartitionKey Of(string serviceId, string stateName, GrainId grainId) => Under(RootOf(null, serviceId), stateName, grainId);

    /// <summary>The key of a state under the root of its provider.</summary>
    /// <exception cref="InvalidKeyException">The key takes more than <see cref="PartitionKey.MaxBytes"/> bytes.</exception>
    public static PartitionKey Under(string root, string stateName, GrainId grainId) => new(PrefixOf(root, stateName, grainId.Type) + grainId.Key);

    /// <summary>The text with which the keys of a state of all grains of a type begin.</summary>
    public static string PrefixOf(string root, string stateName, GrainType grainType) => $"{root}/{Escape(stateName)}/{Escape(grainType.ToString()!)}/";

    /// <summary>
    /// The text with which all keys of a provider begin. No service has an empty id, so a key with a prefix, which begins with '/', is never one without.
    /// </summary>
    /// <param name="prefix">The provider's prefix; null without one.</param>
    /// <param name="serviceId">The id of the cluster's service.</param>
    public static string RootOf(string? prefix, string serviceId) => prefix is null ? Escape(serviceId) : $"/{Escape(prefix)}/{Escape(serviceId)}";

    // The grain's key comes last, so it needs no escapes.
    private static string Escape(string text) => text.AsSpan().ContainsAny('/', '%')
        ? text.Replace("%", "%25", StringComparison.Ordinal).Replace("/", "%2F", StringComparison.Ordinal)
        : text;
}
