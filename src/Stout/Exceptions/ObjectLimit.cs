namespace Stout;

/// <summary>The limits that the options put on one object.</summary>
public enum ObjectLimit
{
    /// <summary>Bytes of all parts: <see cref="StoutOptions.MaxObjectBytes"/>.</summary>
    Bytes,

    /// <summary>Number of parts: <see cref="StoutOptions.MaxObjectParts"/>.</summary>
    Parts,
}
