using Orleans.Storage;
using SectionedDocuments.Problems;
using Stout;
using Stout.Orleans;

namespace OrleansDocuments.Calls;

/// <summary>Maps the errors of grain calls to HTTP problems. The texts of the problems contain no silo's address and no store key.</summary>
internal static class GrainProblems
{
    /// <summary>The problem for an error of a grain call; null for any other error.</summary>
    public static ProblemException? Of(Exception error) => error switch
    {
        GrainStateTooLargeException large => new(ProblemType.ChangeTooLarge, $"It has {large.Size} bytes, and the store allows {large.Limit}.", error),
        GrainStateNotReadException { InnerException: InvalidKeyException key } => new(ProblemType.InvalidName, key.Message, error),
        GrainStateNotReadException => new(ProblemType.StoreUnavailable, "The document could not be read.", error),
        GrainStateNotWrittenException { Reason: null } => new(ProblemType.Overloaded, "The change was refused before it was begun.", error),
        GrainStateNotWrittenException { Reason: NotAppliedReason.Stopped } => new(ProblemType.Stopping, "The silo of the document is stopping.", error),
        GrainStateNotWrittenException { Reason: NotAppliedReason.StoreUnreachable or NotAppliedReason.NotSentInTime or NotAppliedReason.KeyBusy } =>
            new(ProblemType.StoreUnavailable, "The change could not be sent to the store.", error),
        GrainStateNotWrittenException notWritten => new(ProblemType.InternalError, $"The change was not made: {notWritten.Reason}.", error),
        GrainStateOutcomeUnknownException => new(ProblemType.OutcomeUnknown, "The store may or may not have the change.", error),
        InconsistentStateException => new(ProblemType.OtherOwner, "Another activation of the document owns it.", error),
        OrleansMessageRejectionException or TimeoutException => new(ProblemType.OutcomeUnknown, "The silo of the document gave no answer.", error),
        _ => null,
    };
}
