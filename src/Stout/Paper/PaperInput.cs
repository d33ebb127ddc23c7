using Stout.Lanes.Shell;

namespace Stout.Paper;

/// <summary>The kinds of inputs that the paper's interface posts to a lane.</summary>
internal static class PaperInput
{
    /// <summary>A part is marked dirty. The subject is a message that waits for the change, or null.</summary>
    public const LaneInputKind MarkDirty = LaneInputKind.OfClient;

    /// <summary>A part is marked deleted.</summary>
    public const LaneInputKind MarkDeleted = LaneInputKind.OfClient + 1;

    /// <summary>The whole object is marked deleted.</summary>
    public const LaneInputKind MarkAllDeleted = LaneInputKind.OfClient + 2;

    /// <summary>A Serialize callback has ended. The subject is its batch.</summary>
    public const LaneInputKind Serialized = LaneInputKind.OfClient + 3;

    /// <summary>A Deserialize callback has ended. The subject is its fill.</summary>
    public const LaneInputKind Deserialized = LaneInputKind.OfClient + 4;
}
