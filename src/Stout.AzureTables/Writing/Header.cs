using Azure;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>The token of a stamp: the state of a header that the next write needs, so that it does not have to read the header.</summary>
/// <param name="ETag">The row's ETag.</param>
/// <param name="Generation">The generation of the key's parts; null if the key has never had parts.</param>
/// <param name="IsDeleted">Whether the object is deleted.</param>
/// <param name="Parts">The generation's parts; null if unknown.</param>
internal sealed record HeaderToken(ETag ETag, Stamp? Generation, bool IsDeleted, KnownParts? Parts);

/// <summary>A stored header.</summary>
/// <param name="Stamp">The key's stamp.</param>
/// <param name="Token">The token of the stamp.</param>
/// <param name="ClaimEpoch">The epoch of a new owner that is about to claim the key, or 0.</param>
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
