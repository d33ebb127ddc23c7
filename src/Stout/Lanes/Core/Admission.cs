namespace Stout.Lanes.Core;

/// <summary>One caller that asks for admission.</summary>
internal class Admission(bool changesSomething)
{
    /// <summary>Whether the caller reserves room. A fill does not, since it makes nothing undurable.</summary>
    public bool ChangesSomething { get; } = changesSomething;

    /// <summary>Whether the caller has reserved room that it has not used.</summary>
    public bool HasReserved { get; set; }

    /// <summary>Whether the caller was answered or has stopped waiting.</summary>
    public bool IsOver { get; set; }
}
