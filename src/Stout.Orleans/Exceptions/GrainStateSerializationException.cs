using Orleans.Runtime;

namespace Stout.Orleans;

/// <summary>
/// The serializer has thrown: a state could not be made into bytes, or stored bytes could not be made into a state. The stored state is as before.
/// </summary>
[GenerateSerializer]
[Alias("Stout.Orleans.GrainStateSerializationException")]
public sealed class GrainStateSerializationException : GrainStateException
{
    /// <summary>Reports a serializer that has thrown.</summary>
    /// <param name="message">The error's description.</param>
    /// <param name="stateName">The name of the state.</param>
    /// <param name="grainId">The grain.</param>
    /// <param name="innerException">The serializer's error.</param>
    public GrainStateSerializationException(string message, string stateName, GrainId grainId, Exception innerException)
        : base(message, stateName, grainId, innerException)
    {
    }
}
