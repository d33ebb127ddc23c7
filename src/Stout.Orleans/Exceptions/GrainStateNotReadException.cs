using Orleans.Runtime;

namespace Stout.Orleans;

/// <summary>A state could not be read. Nothing has changed in the store or in the grain; read again later.</summary>
[GenerateSerializer]
[Alias("Stout.Orleans.GrainStateNotReadException")]
public sealed class GrainStateNotReadException : GrainStateException
{
    /// <summary>Reports a state that could not be read.</summary>
    /// <param name="message">The error's description.</param>
    /// <param name="stateName">The name of the state.</param>
    /// <param name="grainId">The grain.</param>
    /// <param name="innerException">Why the state could not be read.</param>
    public GrainStateNotReadException(string message, string stateName, GrainId grainId, Exception? innerException = null)
        : base(message, stateName, grainId, innerException)
    {
    }
}
