using Orleans.Storage;
using SectionedDocuments.Problems;
using Stout;
using Stout.Orleans;

namespace OrleansDocuments.Calls;

/// <summary>Maps the errors of grains to answers. Clients see no address of a silo and no key of the store.</summary>
internal static class GrainProblems
{
    /// <summary>The problem of an error; null if the error is no grain's.</summary>
    public static ProblemException? Of(Exception error) => error switch
    {
        GrainStateTooLargeException large => new(ProblemType.ChangeTooLarge, $"It has {large.Size} bytes, and the store allows {large.Limit}.", error),
        GrainStateNotReadException { InnerException: InvalidKeyException key } => new(ProblemType.InvalidName, key.Message, error),
        GrainStateNotReadException => new(ProblemType.StoreUnavailable, "The document could not be read.", error),
        GrainStateNotWrittenException { Reason: null } => new(ProblemType.Overloaded, "The change was refused before it was begun.", error),
        GrainStateNotWrittenException { Reason: NotAppliedReason.Stopped } => new(ProblemType.Stopping, "The silo of the document is stopping.", error),
        GrainStateNotWrittenException { Reason: NotAppliedReason.StoreUnreachable or NotAppliedReason.KeyBusy } =>
            new(ProblemType.StoreUnavailable, "The change could not be sent to the store.", error),
        GrainStateNotWrittenException notWritten => new(ProblemType.NotApplied, $"Reason: {notWritten.Reason}.", error),
        GrainStateOutcomeUnknownException => new(ProblemType.OutcomeUnknown, "The store may or may not have the change.", error),
        InconsistentStateException => new(ProblemType.NotApplied, "Another activation of the document owns it.", error),
        OrleansMessageRejectionException or TimeoutException => new(ProblemType.OutcomeUnknown, "The silo of the document gave no answer.", error),
        _ => null,
    };
}
