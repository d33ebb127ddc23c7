using Stout.Lanes.Core;

namespace Stout.Paper;

/// <summary>A marked part in the lane's set of changed parts, before the Serialize callback has written it. The marks of all parts share two objects.</summary>
internal sealed class MarkedPart : PushedPart
{
    private MarkedPart(bool isRemoval)
        : base(SubKey.Root) => IsRemoval = isRemoval;

    /// <summary>The part has changed; the callback has to write it.</summary>
    public static MarkedPart Dirty { get; } = new(isRemoval: false);

    /// <summary>The part is deleted.</summary>
    public static MarkedPart Deleted { get; } = new(isRemoval: true);
}
