namespace Stout.Pacing;

/// <summary>The kinds of store requests.</summary>
public enum StoreRequestKind
{
    /// <summary>Writes keys.</summary>
    Write,

    /// <summary>Reads keys.</summary>
    Read,
}
