using System.Text.Json;
using Stout.AzureTables.Rest;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>What has to be known of a header to write its key again without reading it: the token that goes with a stamp.</summary>
/// <param name="ETag">The row's ETag.</param>
/// <param name="Generation">The generation of the key's parts; null if it has never had any.</param>
/// <param name="IsDeleted">Whether the object is deleted.</param>
internal sealed record HeaderToken(string ETag, Stamp? Generation, bool IsDeleted);

/// <summary>A header as the store has it.</summary>
internal sealed record Header(Stamp Stamp, HeaderToken Token)
{
    public bool IsDeleted => Token.IsDeleted;

    /// <exception cref="StoreException">The row is damaged.</exception>
    public static Header Of(Row row)
    {
        var generation = row[Layout.Generation] is { } text ? StampText.Parse(text) : default(Stamp?);
        return new Header(StampText.Parse(row[Layout.Stamp]), new HeaderToken(row.ETag, generation, row[Layout.DeletedAt] is not null));
    }

    public static void WriteDeletedAt(Utf8JsonWriter json, DateTimeOffset time)
    {
        json.WriteString(Layout.DeletedAt + "@odata.type", "Edm.DateTime");
        json.WriteString(Layout.DeletedAt, time.UtcDateTime);
    }
}
