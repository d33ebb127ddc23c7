using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>The kinds of commands that a lane's core (<see cref="LaneCore"/>) gives to its shell.</summary>
internal enum LaneCommandKind : byte
{
    /// <summary>Make a call of the lane's client, with the subject.</summary>
    CallClient,

    /// <summary>Send the <see cref="WriteRequest"/>, then report WriteAnswered.</summary>
    SendWrite,

    /// <summary>Send the <see cref="ReadRequest"/>, then report ReadAnswered.</summary>
    SendRead,

    /// <summary>Cancel the <see cref="ReadRequest"/>, whose answer is no longer used.</summary>
    CancelRead,

    /// <summary>Release the chain of <see cref="Message"/>s.</summary>
    Release,

    /// <summary>Complete a caller of Fill with the handle or the failure.</summary>
    CompleteFill,

    /// <summary>Complete a caller of admission, with the failure if it was refused.</summary>
    CompleteAdmission,

    /// <summary>Complete a caller of TryClose. A handle means that the key was closed.</summary>
    CompleteClose,

    /// <summary>The last command: every message has been released or has failed.</summary>
    Drained,
}

/// <summary>One command of a lane's core to its shell.</summary>
internal readonly record struct LaneCommand(
    LaneCommandKind Kind, object? Subject = null, KeyHandle? Handle = null, StoutException? Failure = null);
