using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Lanes.Shell;

/// <summary>The intake of a lane. It receives the calls of key handles, and the answers of the store and of the client's calls.</summary>
internal interface ILaneIntake
{
    /// <returns>False after the lane has stopped.</returns>
    bool TryPost(in LaneInput input);

    /// <summary>Posts a change that carries its bytes.</summary>
    /// <returns>False after the lane has stopped.</returns>
    bool TryPush(in LaneInput change) => TryPost(change);

    /// <summary>Posts the store's answer to a request. The lane may continue inside this call.</summary>
    /// <returns>False after the lane has stopped.</returns>
    bool TryAnswer(in LaneInput answer) => TryPost(answer);

    /// <summary>Completes when the bounds allow more undurable changes.</summary>
    /// <param name="toChange">Whether the caller intends a change, and so reserves room.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask AdmitAsync(bool toChange, CancellationToken cancellationToken);

    /// <summary>Whether <see cref="AdmitAsync"/> would complete at once.</summary>
    bool IsAdmissionOpen => true;

    /// <summary>The time after which a caller without admission may try again.</summary>
    TimeSpan RetryAfter => TimeSpan.Zero;

    /// <summary>The limits of the store's requests.</summary>
    StorageLimits Limits => throw new NotSupportedException();

    /// <summary>Whether an application serializes the keys' changes. Otherwise each change carries its bytes.</summary>
    bool Serializes => true;

    /// <summary>The limits of callers' waits; null without one.</summary>
    AnswerLimits? Answers => null;

    /// <summary>Frees the room of an admitted caller that changes nothing.</summary>
    void EndAdmission()
    {
    }

    /// <summary>Reports an exception of an application's message callback.</summary>
    void ReportCallbackError(Exception error);
}

/// <summary>The kinds of items in a lane's intake.</summary>
internal enum LaneInputKind : byte
{
    Fill,
    Push,
    Message,
    TryClose,

    /// <summary>A caller of a fill or of admission has stopped waiting, and takes no result.</summary>
    Cancel,
    Confirm,
    Admit,
    EndAdmission,
    WriteAnswered,
    ReadAnswered,
    Wake,
    Stop,
    Abort,

    /// <summary>The first kind of the lane's client. Such an input with a handle is a change, and may carry a message.</summary>
    OfClient,
}

/// <summary>One item of a lane's intake.</summary>
/// <param name="Kind">The kind of item.</param>
/// <param name="Handle">The handle concerned, if any.</param>
/// <param name="Subject">Depending on the kind: a message (with a change or alone), the caller's span with its message, a waiter, or a request.</param>
/// <param name="Part">The part that a client has changed.</param>
/// <param name="Error">An exception of a client's call, or null.</param>
/// <param name="Bytes">For a change that carries its bytes: their number.</param>
internal readonly record struct LaneInput(
    LaneInputKind Kind, KeyHandle? Handle = null, object? Subject = null, SubKey Part = default, Exception? Error = null, int Bytes = 0);
