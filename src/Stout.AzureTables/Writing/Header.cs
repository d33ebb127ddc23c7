using Azure;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>The token of a version: the state of a header that the next write needs, so that it does not have to read the header.</summary>
/// <param name="ETag">The row's ETag.</param>
/// <param name="Owner">The key's owner.</param>
/// <param name="Generation">The generation of the key's parts; null if the present object has had no parts.</param>
/// <param name="IsDeleted">Whether the key has no object: it was deleted, or claimed and never written.</param>
/// <param name="Parts">The generation's parts; null if unknown.</param>
internal sealed record HeaderToken(ETag ETag, KeyOwner Owner, Stamp? Generation, bool IsDeleted, KnownParts? Parts);

/// <summary>A stored header.</summary>
/// <param name="Version">The stamp of the last write.</param>
/// <param name="Token">The token of the version.</param>
/// <param name="Announced">The owner that a claim is about to give the key, or null.</param>
internal sealed record Header(Stamp Version, HeaderToken Token, KeyOwner? Announced = null)
{
    public bool IsDeleted => Token.IsDeleted;

    /// <summary>Version and owner.</summary>
    public KeyHeader Key => new(Version, Token.Owner);

    /// <exception cref="StoreException">The row is damaged.</exception>
    public static Header Of(TableEntity row)
    {
        var owner = row.OwnerOf(Layout.Owner) ?? KeyOwner.None;
        var isDeleted = row.TimeOf(Layout.DeletedAt) is not null;
        var version = row.StampOf(Layout.Stamp) ?? (isDeleted && owner.Epoch > 0 ? Stamp.Absent : throw AzureTablesErrors.Damaged("A header"));
        var generation = row.StampOf(Layout.Generation);
        var token = new HeaderToken(row.TagOf(), owner, generation, isDeleted, generation is null ? KnownParts.None : null);
        return new Header(version, token, row.OwnerOf(Layout.Claim));
    }
}
