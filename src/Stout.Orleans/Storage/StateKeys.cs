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
    public static PartitionKey Of(string serviceId, string stateName, GrainId grainId) =>
        new($"{Escape(serviceId)}/{Escape(stateName)}/{Escape(grainId.Type.ToString()!)}/{grainId.Key}");

    // The grain's key comes last, so it needs no escapes.
    private static string Escape(string text) => text.AsSpan().ContainsAny('/', '%')
        ? text.Replace("%", "%25", StringComparison.Ordinal).Replace("/", "%2F", StringComparison.Ordinal)
        : text;
}
