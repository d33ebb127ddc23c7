namespace Stout.Pacing;

/// <summary>What a store request does.</summary>
public enum StoreRequestKind
{
    /// <summary>Writes keys.</summary>
    Write,

    /// <summary>Reads keys.</summary>
    Read,
}
