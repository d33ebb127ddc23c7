namespace Stout.Paper;

/// <summary>The state of one marked part.</summary>
internal enum PartMark : byte
{
    /// <summary>Unchanged.</summary>
    None,

    /// <summary>Changed; the callback has to write it.</summary>
    Dirty,

    /// <summary>Deleted.</summary>
    Deleted,

    /// <summary>Was dirty; the callback has written it.</summary>
    Written,

    /// <summary>Was dirty; the callback has reported that the part no longer exists.</summary>
    Removed,
}
