using Azure;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>What has to be known of a header to write its key again without reading it: the token that goes with a stamp.</summary>
/// <param name="ETag">The row's ETag.</param>
/// <param name="Generation">The generation of the key's parts; null if it has never had any.</param>
/// <param name="IsDeleted">Whether the object is deleted.</param>
/// <param name="Parts">The generation's parts; null where they are not known.</param>
internal sealed record HeaderToken(ETag ETag, Stamp? Generation, bool IsDeleted, KnownParts? Parts);

/// <summary>A header as the store has it.</summary>
/// <param name="Stamp">The key's stamp.</param>
/// <param name="Token">What goes with it.</param>
/// <param name="ClaimEpoch">The epoch that a new owner is about to claim the key for; 0: none is.</param>
internal sealed record Header(Stamp Stamp, HeaderToken Token, long ClaimEpoch = 0)
{
    public bool IsDeleted => Token.IsDeleted;

    /// <exception cref="StoreException">The row is damaged.</exception>
    public static Header Of(TableEntity row)
    {
        var stamp = row.StampOf(Layout.Stamp) ?? throw AzureTablesErrors.Damaged("A header");
        var generation = row.StampOf(Layout.Generation);
        var token = new HeaderToken(row.TagOf(), generation, row.TimeOf(Layout.DeletedAt) is not null, generation is null ? KnownParts.None : null);
        return new Header(stamp, token, row.StampOf(Layout.Claim)?.Epoch ?? 0);
    }
}
