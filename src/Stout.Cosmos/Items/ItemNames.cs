namespace Stout.Cosmos.Items;

/// <summary>The names of the items' properties, short because every kilobyte of an item costs request units.</summary>
internal static class ItemNames
{
    public static ReadOnlySpan<byte> Id => "id"u8;

    public static ReadOnlySpan<byte> PartitionKey => "pk"u8;

    public static ReadOnlySpan<byte> Stamp => "s"u8;

    public static ReadOnlySpan<byte> Owner => "o"u8;

    /// <summary>In the item with the epoch floor: the floor.</summary>
    public static ReadOnlySpan<byte> Epoch => "e"u8;

    /// <summary>In headers: the whole key of a long key.</summary>
    public static ReadOnlySpan<byte> LongKey => "k"u8;

    public static ReadOnlySpan<byte> Generation => "g"u8;

    public static ReadOnlySpan<byte> Root => "r"u8;

    public static ReadOnlySpan<byte> HasRows => "n"u8;

    public static ReadOnlySpan<byte> IsDeleted => "x"u8;

    public static ReadOnlySpan<byte> Value => "v"u8;

    /// <summary>The service's property: the seconds without a change after which it removes the item.</summary>
    public static ReadOnlySpan<byte> TimeToLive => "ttl"u8;

    /// <summary>The service's property: the item's version.</summary>
    public static ReadOnlySpan<byte> ETag => "_etag"u8;
}
