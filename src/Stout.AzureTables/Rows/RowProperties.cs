using Azure;
using Azure.Data.Tables;
using Stout.Storage;

namespace Stout.AzureTables.Rows;

/// <summary>Reads properties of rows, which something other than this library may have written.</summary>
internal static class RowProperties
{
    /// <summary>The row's ETag. The service makes it of the timestamp, should the answer leave it out.</summary>
    public static ETag TagOf(this TableEntity row) => row.ETag != default || row.Timestamp is not { } time
        ? row.ETag
        : new ETag($"W/\"datetime'{Uri.EscapeDataString(time.UtcDateTime.ToString("O"))}'\"");

    /// <summary>A stamp; null if the property is not there.</summary>
    /// <exception cref="StoreException">It is no stamp: the row is damaged.</exception>
    public static Stamp? StampOf(this TableEntity row, string property)
    {
        if (!row.TryGetValue(property, out var value) || value is null)
            return null;
        return Stamp.TryParseHex(value as string, out var stamp) ? stamp : throw AzureTablesErrors.Damaged("A stored stamp");
    }

    /// <summary>A moment; null if the property is not there.</summary>
    /// <exception cref="StoreException">It is no moment: the row is damaged.</exception>
    public static DateTimeOffset? TimeOf(this TableEntity row, string property)
    {
        if (!row.TryGetValue(property, out var value) || value is null)
            return null;
        return value is DateTimeOffset time ? time : throw AzureTablesErrors.Damaged("A stored time");
    }
}
