namespace Stout.AzureTables;

/// <summary>The rows of one store partition, which form one table partition: headers, parts, and notes of garbage for the sweeper.</summary>
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
    public const int Version = 2;

    /// <summary>
    /// In headers: the stamp of the key's last write; absent if the key was claimed and never written. In notes: the unique part of the note's row key.
    /// </summary>
    public const string Stamp = "Stamp";

    /// <summary>In headers: the key's owner; absent if it has never had one.</summary>
    public const string Owner = "Owner";

    /// <summary>In headers: the generation of the key's parts; absent if the present object has had no parts. In notes: the dead generation.</summary>
    public const string Generation = "Generation";

    /// <summary>In headers: the time of the deletion, or of the last claim without an object; absent while the object exists.</summary>
    public const string DeletedAt = "DeletedAt";

    /// <summary>
    /// In headers: the owner that a claim is about to give the key. Setting this property changes the ETag, so that the old owner's next write fails and
    /// learns the reason. Empty once a claim was taken.
    /// </summary>
    public const string Claim = "Claim";

    /// <summary>In the row of the epoch floor: an epoch that no removed header exceeds.</summary>
    public const string Epoch = "Epoch";

    /// <summary>
    /// In headers: the key, encoded as in row keys, where it is longer than its row key (<see cref="Storage.LongKeys"/>); absent for other keys.
    /// </summary>
    public const string LongKey = "LongKey";

    /// <summary>In notes: the encoded row key of the key.</summary>
    public const string Key = "Key";

    /// <summary>The properties of a header that a write needs: all except the value and the long key.</summary>
    public static readonly IReadOnlyList<string> HeaderProperties = ["RowKey", "Timestamp", Stamp, Owner, Generation, DeletedAt, Claim];

    /// <summary>The properties of a header that a read of a long key needs: those for a write, and the long key.</summary>
    public static readonly IReadOnlyList<string> LongKeyHeaderProperties = [.. HeaderProperties, LongKey];

    /// <summary>The properties for queries of row keys only.</summary>
    public static readonly IReadOnlyList<string> RowKeyAlone = ["RowKey"];

    /// <summary>The properties that a listing needs.</summary>
    public static readonly IReadOnlyList<string> ListedProperties = ["RowKey", DeletedAt, LongKey];

    /// <summary>The name of a store partition's table partition.</summary>
    public static string PartitionName(int partition) => partition.ToString("D4", System.Globalization.CultureInfo.InvariantCulture);
}
