using Stout.Storage;

namespace Stout.Lanes;

/// <summary>What the shell is to do.</summary>
internal enum LaneCommandKind : byte
{
    /// <summary>Call App.Serialize with the <see cref="SerializationBatch"/>, then say Serialized.</summary>
    Serialize,

    /// <summary>Call App.Deserialize with the <see cref="KeyFill"/>, then say Deserialized.</summary>
    Deserialize,

    /// <summary>Send the <see cref="WriteRequest"/>, then say WriteAnswered.</summary>
    SendWrite,

    /// <summary>Send the <see cref="ReadRequest"/>, then say ReadAnswered.</summary>
    SendRead,

    /// <summary>Release the chain of <see cref="Message"/>s.</summary>
    Release,

    /// <summary>Complete the fill's waiter with the handle or the failure.</summary>
    CompleteFill,

    /// <summary>Complete the waiter at the door, with the failure if there is one.</summary>
    CompleteAdmission,

    /// <summary>Complete TryClose's waiter: closed if there is a handle.</summary>
    CompleteClose,

    /// <summary>Everything is sent and released, or has failed. Comes last.</summary>
    Drained,
}

/// <summary>One command of a lane's core to its shell.</summary>
internal readonly record struct LaneCommand(
    LaneCommandKind Kind, object? Subject = null, KeyHandle? Handle = null, StoutException? Failure = null);
