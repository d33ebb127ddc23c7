namespace Stout.Cosmos;

/// <summary>The format of the items of a container. deploy/schemas/cosmos.md describes the format for administrators.</summary>
internal static class Layout
{
    /// <summary>The layout's name, kept in every store partition.</summary>
    public const string Id = "stout-cosmos";

    /// <summary>The layout's version, kept in every store partition.</summary>
    public const int Version = 2;

    /// <summary>The path of the container's partition key.</summary>
    public const string PartitionKeyPath = "/pk";

    /// <summary>The longest own value in a header, for an object without other parts; longer values are separate items.</summary>
    public const int MaxInlineBytes = 4_096;
}

/// <summary>The place of an object's own value.</summary>
internal enum RootPlace
{
    /// <summary>The object has no own value.</summary>
    None,

    /// <summary>In the header.</summary>
    Inline,

    /// <summary>In a separate item, under the empty sub-key.</summary>
    Row,
}
