namespace Stout.Orleans.Storage;

/// <summary>The kinds of a stored state.</summary>
internal enum StateKind
{
    /// <summary>No state: it was never written, or was deleted.</summary>
    Absent,

    /// <summary>A value.</summary>
    Value,

    /// <summary>A cleared state, of which a mark with an ETag remains.</summary>
    Cleared,

    /// <summary>A value that was copied from the former storage, where its record may not be fenced yet. No grain has seen the value.</summary>
    Copied,
}
