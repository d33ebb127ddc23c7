namespace Stout.Cosmos;

/// <summary>What the items of a container look like. deploy/schemas/cosmos.md describes it for people.</summary>
internal static class Layout
{
    /// <summary>The layout's name, kept in every store partition.</summary>
    public const string Id = "stout-cosmos";

    /// <summary>The layout's version, kept in every store partition.</summary>
    public const int Version = 1;

    /// <summary>The path of the container's partition key.</summary>
    public const string PartitionKeyPath = "/pk";

    /// <summary>An object's own bytes up to this length are in its header, if it has no other parts; longer ones are an item of their own.</summary>
    public const int MaxInlineBytes = 4_096;
}

/// <summary>Where an object's own bytes are.</summary>
internal enum RootPlace
{
    /// <summary>It has none.</summary>
    None,

    /// <summary>In the header.</summary>
    Inline,

    /// <summary>In an item of their own, under the empty sub-key.</summary>
    Row,
}
