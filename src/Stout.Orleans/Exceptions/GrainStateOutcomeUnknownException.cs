using Orleans.Runtime;
using Orleans.Storage;

namespace Stout.Orleans;

/// <summary>
/// The store may or may not hold the state that was written last: no certain answer came back, or not within <see cref="StoutOptions.AnswerWithin"/>. Read
/// the state to find out. If the exception leaves the grain, Orleans deactivates the activation, as after any <see cref="InconsistentStateException"/>.
/// The next activation reads the state.
/// </summary>
[GenerateSerializer]
[Alias("Stout.Orleans.GrainStateOutcomeUnknownException")]
public sealed class GrainStateOutcomeUnknownException : InconsistentStateException
{
    /// <summary>Reports a write of unknown outcome.</summary>
    /// <param name="stateName">The name of the state.</param>
    /// <param name="grainId">The grain.</param>
    /// <param name="currentETag">The ETag that the write expected.</param>
    /// <param name="innerException">The error of Stout.</param>
    public GrainStateOutcomeUnknownException(string stateName, GrainId grainId, string? currentETag, Exception innerException)
        : base(
            $"It is unknown whether the state '{stateName}' of the grain {grainId} is written: "
                + (innerException is OutcomeUnknownException { Reason: OutcomeUnknownReason.NotAnsweredInTime } ? "the time limit for an answer passed." : "it was sent, and no certain answer came back."),
            null,
            currentETag,
            CarriedExceptions.Note(innerException)!)
    {
        StateName = stateName;
        GrainId = grainId;
    }

    /// <summary>The name of the state.</summary>
    [Id(0)]
    public string StateName { get; private set; }

    /// <summary>The grain whose state it is.</summary>
    [Id(1)]
    public GrainId GrainId { get; private set; }
}
