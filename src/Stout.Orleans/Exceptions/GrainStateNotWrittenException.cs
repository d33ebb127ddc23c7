using Orleans.Runtime;

namespace Stout.Orleans;

/// <summary>A state is certainly not written. The stored state is as before, and the grain's ETag is still valid, so the same write may be repeated.</summary>
[GenerateSerializer]
[Alias("Stout.Orleans.GrainStateNotWrittenException")]
public sealed class GrainStateNotWrittenException : GrainStateException
{
    /// <summary>Reports a state that is not written.</summary>
    /// <param name="message">The error's description.</param>
    /// <param name="stateName">The name of the state.</param>
    /// <param name="grainId">The grain.</param>
    /// <param name="reason">Why the write was not applied; null if Stout refused it before it began.</param>
    /// <param name="innerException">The error of Stout.</param>
    public GrainStateNotWrittenException(string message, string stateName, GrainId grainId, NotAppliedReason? reason = null, Exception? innerException = null)
        : base(message, stateName, grainId, innerException)
    {
        Reason = reason;
    }

    /// <summary>Why the write was not applied. Null if Stout refused the write before it began, for example for overload or because the silo stops.</summary>
    [Id(0)]
    public NotAppliedReason? Reason { get; private set; }
}
