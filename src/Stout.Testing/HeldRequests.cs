namespace Stout.Testing;

/// <summary>The kinds of requests that a <see cref="StoreHold"/> holds.</summary>
[Flags]
public enum HeldRequests
{
    /// <summary>No requests.</summary>
    None = 0,

    /// <summary>Writes.</summary>
    Writes = 1,

    /// <summary>Reads.</summary>
    Reads = 2,

    /// <summary>Writes and reads.</summary>
    All = Writes | Reads,
}
