using Azure;
using Azure.Data.Tables;
using Stout.Storage;

namespace Stout.AzureTables.Rows;

/// <summary>Reads and validates properties of rows, which other programs may have written.</summary>
internal static class RowProperties
{
    /// <summary>The row's ETag. If the answer omits the ETag, this method computes it from the timestamp, as the service does.</summary>
    public static ETag TagOf(this TableEntity row) => row.ETag != default || row.Timestamp is not { } time
        ? row.ETag
        : new ETag($"W/\"datetime'{Uri.EscapeDataString(time.UtcDateTime.ToString("O"))}'\"");

    /// <summary>A stamp; null if the property is absent.</summary>
    /// <exception cref="StoreException">The property is not a valid stamp: the row is damaged.</exception>
    public static Stamp? StampOf(this TableEntity row, string property)
    {
        if (!row.TryGetValue(property, out var value) || value is null)
            return null;
        return Stamp.TryParseHex(value as string, out var stamp) ? stamp : throw AzureTablesErrors.Damaged("A stored stamp");
    }

    /// <summary>An owner; null if the property is absent or empty.</summary>
    /// <exception cref="StoreException">The property is not a valid owner: the row is damaged.</exception>
    public static KeyOwner? OwnerOf(this TableEntity row, string property)
    {
        if (!row.TryGetValue(property, out var value) || value is null or "")
            return null;
        return KeyOwner.TryParseHex(value as string, out var owner) ? owner : throw AzureTablesErrors.Damaged("A stored owner");
    }

    /// <summary>The long key that a header keeps, in UTF-8; empty if it keeps no valid one.</summary>
    public static byte[] LongKeyOf(this TableEntity row)
    {
        try
        {
            return row.TryGetValue(Layout.LongKey, out var value) && value is string text ? RowKeys.DecodeBytes(text) : [];
        }
        catch (FormatException)
        {
            return [];
        }
    }

    /// <summary>A time; null if the property is absent.</summary>
    /// <exception cref="StoreException">The property is not a valid time: the row is damaged.</exception>
    public static DateTimeOffset? TimeOf(this TableEntity row, string property)
    {
        if (!row.TryGetValue(property, out var value) || value is null)
            return null;
        return value is DateTimeOffset time ? time : throw AzureTablesErrors.Damaged("A stored time");
    }
}
