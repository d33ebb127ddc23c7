namespace Stout.Lanes;

/// <summary>Where a handle's calls go.</summary>
internal interface ILaneIntake
{
    /// <returns>False once the lane has stopped.</returns>
    bool TryPost(in LaneInput input);

    /// <summary>Completes when there is room for more that is undurable.</summary>
    ValueTask AdmitAsync(CancellationToken cancellationToken);

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
    Message,
    TryClose,
    Admit,
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
internal readonly record struct LaneInput(
    LaneInputKind Kind, KeyHandle? Handle = null, object? Subject = null, SubKey Part = default, Exception? Error = null);
