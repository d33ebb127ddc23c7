namespace Stout;

/// <summary>The options' limits on one object.</summary>
public enum ObjectLimit
{
    /// <summary>Bytes of all parts: <see cref="StoutOptions.MaxObjectBytes"/>.</summary>
    Bytes,

    /// <summary>Number of parts: <see cref="StoutOptions.MaxObjectParts"/>.</summary>
    Parts,
}
