namespace Stout.Orleans.Storage;

/// <summary>The kinds of a stored state.</summary>
internal enum StateKind
{
    /// <summary>Nothing: it was never written, or was deleted.</summary>
    Absent,

    /// <summary>A value.</summary>
    Value,

    /// <summary>The mark of a state that was cleared and keeps its ETag.</summary>
    Cleared,

    /// <summary>A value that was copied from the former storage, whose record may not be fenced yet. No grain has seen it.</summary>
    Copied,
}
