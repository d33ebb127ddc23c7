namespace Stout.AzureTables;

/// <summary>The rows of one store partition, all in one table partition.</summary>
/// <remarks>
/// <para>A header has the stamp and the object's own bytes. There is no row for bytes that are too long for a header, as other stores have:
/// the service changes single properties, so a write of parts alone does not send the object's own bytes again.</para>
/// <para>A generation begins with the first part of an object, not with the object: most have none, and need no generation.</para>
/// </remarks>
internal static class Layout
{
    /// <summary>The layout's name, kept in every partition.</summary>
    public const string Id = "stout-azure-tables";

    /// <summary>The layout's version, kept in every partition.</summary>
    public const int Version = 1;

    /// <summary>Of a header: the key's stamp.</summary>
    public const string Stamp = "Stamp";

    /// <summary>Of a header: the generation of the key's parts; not there while it has never had any. Of garbage: the dead generation.</summary>
    public const string Generation = "Generation";

    /// <summary>Of a header: when the object was deleted; not there while it exists.</summary>
    public const string DeletedAt = "DeletedAt";

    /// <summary>
    /// Of a header: the stamp that a new owner is about to give the key. It is there only while old and new owner race: it changes the
    /// ETag, so that the old owner's next write fails, and tells it why.
    /// </summary>
    public const string Claim = "Claim";

    /// <summary>Of garbage: the key, as row keys have it.</summary>
    public const string Key = "Key";

    /// <summary>What a write has to know of a header: all but the value.</summary>
    public static readonly IReadOnlyList<string> HeaderProperties = ["RowKey", "Timestamp", Stamp, Generation, DeletedAt, Claim];

    /// <summary>What is asked for where rows are only named.</summary>
    public static readonly IReadOnlyList<string> RowKeyAlone = ["RowKey"];

    /// <summary>What a listing has to know of a row.</summary>
    public static readonly IReadOnlyList<string> ListedProperties = ["RowKey", DeletedAt];

    /// <summary>The table partition that holds a store partition.</summary>
    public static string PartitionName(int partition) => partition.ToString("D4", System.Globalization.CultureInfo.InvariantCulture);
}
