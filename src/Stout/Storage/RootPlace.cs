namespace Stout.Storage;

/// <summary>The place of an object's own value (<see cref="SubKey.Root"/>), for stores that keep short values in the header. Stores keep the number.</summary>
public enum RootPlace
{
    /// <summary>The object has no own value.</summary>
    None,

    /// <summary>In the header.</summary>
    Inline,

    /// <summary>In a row of its own, under the empty sub-key.</summary>
    Row,
}
