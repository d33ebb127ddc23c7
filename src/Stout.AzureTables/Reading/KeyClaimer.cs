using Azure;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.AzureTables.Transactions;
using Stout.AzureTables.Writing;
using Stout.Storage;

namespace Stout.AzureTables.Reading;

/// <summary>Gives keys their owners: by a change that the header's ETag guards, or by inserting a header.</summary>
internal sealed class KeyClaimer(PartitionTable table, TimeSpan retention, TimeProvider time)
{
    /// <summary>Gives a key its owner.</summary>
    /// <param name="key">The encoded row key.</param>
    /// <param name="whole">The key.</param>
    /// <param name="header">The header that was found, or null.</param>
    /// <param name="before">The header that the previous attempt has found, or null.</param>
    /// <param name="owner">The new owner.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The new header; null if the key has changed meanwhile.</returns>
    public async ValueTask<Header?> ClaimAsync(
        string key, PartitionKey whole, Header? header, Header? before, KeyOwner owner, CancellationToken cancellationToken)
    {
        if (header is null)
            return await InsertAsync(key, whole, owner, cancellationToken).ConfigureAwait(false);
        if (header.Announced is null && before?.Token.Owner == header.Token.Owner && before.Version != header.Version)
        {
            await AnnounceAsync(key, owner, cancellationToken).ConfigureAwait(false);
            return null;
        }

        return await UpdateAsync(key, header, owner, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Inserts a header with the owner alone, and a note for the sweeper, since the key may never be written.</summary>
    private async ValueTask<Header?> InsertAsync(string key, PartitionKey whole, KeyOwner owner, CancellationToken cancellationToken)
    {
        var now = time.GetUtcNow();
        using var body = table.NewTransaction();
        var json = body.BeginInsert(RowKeys.Header(key));
        json.WriteString(Layout.Owner, owner.ToHex());
        if (RowKeys.EncodeLong(whole) is { } longKey)
            json.WriteString(Layout.LongKey, longKey);
        body.WriteTime(Layout.DeletedAt, now);
        body.End();
        new Garbage(key, Generation: null, now + retention, new Stamp(owner.Epoch, owner.Claim, 0)).AddTo(body);
        return await table.CommitOneAsync(body, cancellationToken).ConfigureAwait(false) is { } etag
            ? new Header(Stamp.Absent, new HeaderToken(etag, owner, Generation: null, IsDeleted: true, KnownParts.None))
            : null;
    }

    /// <summary>Writes the new owner. The retention of a header without an object starts again, since the header fences the old owner.</summary>
    private async ValueTask<Header?> UpdateAsync(string key, Header header, KeyOwner owner, CancellationToken cancellationToken)
    {
        using var body = table.NewTransaction();
        var json = body.BeginMerge(RowKeys.Header(key), header.Token.ETag);
        json.WriteString(Layout.Owner, owner.ToHex());
        if (header.Announced is not null)
            json.WriteString(Layout.Claim, "");
        if (header.IsDeleted)
            body.WriteTime(Layout.DeletedAt, time.GetUtcNow());
        body.End();
        return await table.CommitOneAsync(body, cancellationToken).ConfigureAwait(false) is { } etag
            ? header with { Announced = null, Token = header.Token with { ETag = etag, Owner = owner } }
            : null;
    }

    /// <summary>
    /// Announces the new owner in the header, so that writes of the old owner fail. A claim takes two requests and a write one, so a busy old owner would
    /// otherwise always be faster. The announcement changes neither version nor owner, so it needs no condition.
    /// </summary>
    private async ValueTask AnnounceAsync(string key, KeyOwner owner, CancellationToken cancellationToken)
    {
        using var body = table.NewTransaction();
        body.BeginMerge(RowKeys.Header(key), ETag.All).WriteString(Layout.Claim, owner.ToHex());
        body.End();
        await table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
    }
}
