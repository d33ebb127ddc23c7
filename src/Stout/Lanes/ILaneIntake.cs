namespace Stout.Lanes;

/// <summary>Where a handle's calls go.</summary>
internal interface ILaneIntake
{
    /// <returns>False once the lane has stopped.</returns>
    bool TryPost(in LaneInput input);

    /// <summary>Posts a change that comes with its bytes.</summary>
    /// <returns>False once the lane has stopped.</returns>
    bool TryPush(in LaneInput change) => TryPost(change);

    /// <summary>Completes when there is room for more that is undurable.</summary>
    /// <param name="toChange">Whether the caller is going to change something, and so takes room.</param>
    /// <param name="cancellationToken">Stops the waiting.</param>
    ValueTask AdmitAsync(bool toChange, CancellationToken cancellationToken);

    /// <summary>Whether <see cref="AdmitAsync"/> would complete at once.</summary>
    bool IsAdmissionOpen => true;

    /// <summary>A caller that was perhaps admitted changes nothing: its room is for the next one.</summary>
    void EndAdmission()
    {
    }

    /// <summary>Takes what an application's message callback has thrown.</summary>
    void ReportCallbackError(Exception error);
}

/// <summary>What a lane is told.</summary>
internal enum LaneInputKind : byte
{
    Fill,
    OpenAsAbsent,
    MarkDirty,
    MarkDeleted,
    MarkAllDeleted,
    Push,
    Message,
    TryClose,
    Admit,
    EndAdmission,
    Serialized,
    Deserialized,
    WriteAnswered,
    ReadAnswered,
    Wake,
    Stop,
    Abort,
}

/// <summary>One item of a lane's intake.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Handle">The handle concerned, if any.</param>
/// <param name="Subject">What goes with it: a message (a mark may have one too) or its caller's span, a waiter, a request.</param>
/// <param name="Part">The part marked.</param>
/// <param name="Error">What a callback has thrown, or null.</param>
/// <param name="Bytes">Of a change that comes with its bytes: the bytes of all that is undurable of the key.</param>
internal readonly record struct LaneInput(
    LaneInputKind Kind, KeyHandle? Handle = null, object? Subject = null, SubKey Part = default, Exception? Error = null, int Bytes = 0);
