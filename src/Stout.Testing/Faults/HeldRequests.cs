namespace Stout.Testing;

/// <summary>Which requests are held.</summary>
[Flags]
public enum HeldRequests
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Writes.</summary>
    Writes = 1,

    /// <summary>Reads.</summary>
    Reads = 2,

    /// <summary>Writes and reads.</summary>
    All = Writes | Reads,
}
