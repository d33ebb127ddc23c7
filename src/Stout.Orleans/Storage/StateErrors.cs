using Orleans.Runtime;
using Orleans.Storage;

namespace Stout.Orleans.Storage;

/// <summary>Converts Stout's errors into the errors of grain storage.</summary>
internal static class StateErrors
{
    public static Exception OfWrite(StoutException error, string stateName, GrainId grainId, string? currentETag) => Cause(error) switch
    {
        FencedException fenced => new InconsistentStateException(
            $"Another owner has claimed the state '{stateName}' of the grain {grainId} since it was read. Nothing was written.", null, currentETag, CarriedExceptions.Note(fenced)!),
        ConflictException conflict => new InconsistentStateException(
            $"The state '{stateName}' of the grain {grainId} was written elsewhere since it was read. Nothing was written.", null, currentETag, CarriedExceptions.Note(conflict)!),
        OutcomeUnknownException unknown => new GrainStateOutcomeUnknownException(stateName, grainId, currentETag, unknown),
        ChangeTooLargeException large => new GrainStateTooLargeException(stateName, grainId, large.Size, large.Limit),
        NotAppliedException refused => new GrainStateNotWrittenException(
            $"The state '{stateName}' of the grain {grainId} was not written. {refused.Message}", stateName, grainId, refused.Reason, refused),
        var other => new GrainStateNotWrittenException(
            $"The state '{stateName}' of the grain {grainId} was not written. {other.Message}", stateName, grainId, null, other),
    };

    public static Exception OfRead(StoutException error, string stateName, GrainId grainId) => new GrainStateNotReadException(
        $"The state '{stateName}' of the grain {grainId} could not be read. {error.Message}", stateName, grainId, error);

    public static GrainStateNotReadException OfForeignObject(string stateName, GrainId grainId) => new(
        $"The key of the state '{stateName}' of the grain {grainId} holds an object that this provider has not written. It was left as it is.", stateName, grainId);

    public static InconsistentStateException OtherETag(string stateName, GrainId grainId, string? stored, string? current) => new(
        ETag.IsOne(current)
            ? $"The state '{stateName}' of the grain {grainId} was written elsewhere since it was read. Nothing was written."
            : $"The ETag of the state '{stateName}' of the grain {grainId} is not one of this provider. Nothing was written.",
        stored,
        current);

    /// <summary>The error with which a key has failed. A closed handle throws <see cref="HandleClosedException"/>, with that error inside.</summary>
    public static StoutException Cause(StoutException error) =>
        error is HandleClosedException { InnerException: StoutException cause } ? cause : error;
}
