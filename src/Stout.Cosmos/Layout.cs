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
}
