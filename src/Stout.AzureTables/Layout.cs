namespace Stout.AzureTables;

/// <summary>The rows of one store partition, which form one table partition.</summary>
/// <remarks>
/// <para>A header has the stamp and the object's own value. Unlike in other stores, long values need no separate row. The service updates single
/// properties, so a write of parts alone does not send the object's own value again.</para>
/// <para>A generation starts with the first part of an object: most objects have no parts, and need no generation.</para>
/// </remarks>
internal static class Layout
{
    /// <summary>The layout's name, kept in every partition.</summary>
    public const string Id = "stout-azure-tables";

    /// <summary>The layout's version, kept in every partition.</summary>
    public const int Version = 1;

    /// <summary>In headers: the key's stamp.</summary>
    public const string Stamp = "Stamp";

    /// <summary>In headers: the generation of the key's parts; absent if it has never had parts. In notes: the dead generation.</summary>
    public const string Generation = "Generation";

    /// <summary>In headers: the deletion time; absent while the object exists.</summary>
    public const string DeletedAt = "DeletedAt";

    /// <summary>
    /// In headers: the stamp that a new owner is about to write. It exists only while old and new owner compete: it changes the ETag, so that the old
    /// owner's next write fails and learns the reason.
    /// </summary>
    public const string Claim = "Claim";

    /// <summary>In notes: the encoded key.</summary>
    public const string Key = "Key";

    /// <summary>The properties of a header that a write needs: all except the value.</summary>
    public static readonly IReadOnlyList<string> HeaderProperties = ["RowKey", "Timestamp", Stamp, Generation, DeletedAt, Claim];

    /// <summary>The properties for queries of row keys only.</summary>
    public static readonly IReadOnlyList<string> RowKeyAlone = ["RowKey"];

    /// <summary>The properties that a listing needs.</summary>
    public static readonly IReadOnlyList<string> ListedProperties = ["RowKey", DeletedAt];

    /// <summary>The name of a store partition's table partition.</summary>
    public static string PartitionName(int partition) => partition.ToString("D4", System.Globalization.CultureInfo.InvariantCulture);
}
