using System.Text;
using Azure;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.AzureTables.Writing;
using Stout.Storage;

namespace Stout.AzureTables.Reading;

/// <summary>Reads one key with one request: its header and its parts form a range of rows.</summary>
/// <remarks>
/// One page is of one moment. After several pages the header is read again, and if it has changed, everything is. A claim needs no second read: it is
/// conditional on the header, and parts never change without their header.
/// </remarks>
internal sealed class KeyReader(PartitionTable table, TimeProvider time)
{
    // Each further attempt means that another client has written or claimed the key meanwhile.
    private const int MaxAttempts = 20;

    /// <exception cref="OperationCanceledException">The caller has cancelled.</exception>
    public async ValueTask<ReadOutcome> ReadAsync(KeyRead read, CancellationToken cancellationToken)
    {
        var key = RowKeys.Encode(read.Key.Text);
        try
        {
            for (var attempt = 0; attempt < MaxAttempts; attempt++)
            {
                if (await TryReadAsync(key, read, cancellationToken).ConfigureAwait(false) is { } outcome)
                    return outcome;
                if (read.Claim is not null)
                    await AnnounceAsync(key, Stamp.Absent, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (StoreException error)
        {
            return ReadOutcome.Of(error);
        }

        return ReadOutcome.Of(new StoreException(StoreErrorKind.Unknown, "The key changes faster than it can be read."));
    }

    /// <returns>The outcome; null if the key has changed meanwhile.</returns>
    private async ValueTask<ReadOutcome?> TryReadAsync(string key, KeyRead read, CancellationToken cancellationToken)
    {
        var (rows, pages) = await table.QueryAllAsync(RowQuery.Prefix(table.Name, RowKeys.Header(key)), cancellationToken).ConfigureAwait(false);

        // The header sorts first. Rows without a header belong to a removed key.
        if (rows.Count == 0 || rows[0].RowKey != RowKeys.Header(key))
            return ReadOutcome.NotFound(Stamp.Absent);
        var header = Header.Of(rows[0]);
        if (header.Stamp.Epoch > 0)
            return ReadOutcome.FencedBy(default);
        if (header.Stamp.Epoch < 0)
        {
            if (await ClaimAsync(key, header, Stamp.Absent, cancellationToken).ConfigureAwait(false) is not { } claimed)
                return null;
            header = claimed;
        }
        else if (pages > 1 && await IsChangedAsync(key, header, cancellationToken).ConfigureAwait(false))
        {
            return null;
        }

        if (header.IsDeleted)
            return RowValue.Read(rows[0]) is null ? ReadOutcome.NotFound(header.Stamp, header.Token) : throw AzureTablesErrors.Damaged("A header");
        var parts = PartsOf(key, header, rows);
        return ReadOutcome.Found(header.Stamp, parts, header.Token with { Parts = KnownParts.Of(parts) });
    }

    private async ValueTask<bool> IsChangedAsync(string key, Header header, CancellationToken cancellationToken)
    {
        var now = await table.FindAsync(RowKeys.Header(key), Layout.HeaderProperties, cancellationToken).ConfigureAwait(false);
        return now is null || now.ETag != header.Token.ETag;
    }

    /// <summary>Writes the new owner's stamp. The retention of a deleted header starts again, since the header fences the old owner.</summary>
    private async ValueTask<Header?> ClaimAsync(string key, Header header, Stamp claim, CancellationToken cancellationToken)
    {
        using var body = table.NewTransaction();
        var json = body.BeginMerge(RowKeys.Header(key), header.Token.ETag);
        json.WriteString(Layout.Stamp, claim.ToHex());
        if (header.IsDeleted)
            body.WriteTime(Layout.DeletedAt, time.GetUtcNow());
        body.End();
        var answer = await table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
        if (answer.ETags is [{ } etag])
            return header with { Stamp = claim, Token = header.Token with { ETag = etag } };
        if (answer.ETags is not null || AzureTablesErrors.IsFailedCondition(answer.Status, answer.Code))
            return null;
        throw AzureTablesErrors.Classify(answer.Status, answer.Code);
    }

    /// <summary>
    /// Stops writers of the key under an older epoch. A claim takes two requests and a write one, so a busy old owner would always be faster. The
    /// announcement changes no stamp, so it needs no condition.
    /// </summary>
    private async ValueTask AnnounceAsync(string key, Stamp claim, CancellationToken cancellationToken)
    {
        using var body = table.NewTransaction();
        body.BeginMerge(RowKeys.Header(key), ETag.All).WriteString(Layout.Claim, claim.ToHex());
        body.End();
        await table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
    }

    private static List<StoredPart> PartsOf(string key, Header header, IReadOnlyList<TableEntity> rows)
    {
        var parts = new List<StoredPart>(rows.Count);
        if (RowValue.Read(rows[0]) is { } self)
            parts.Add(new StoredPart(SubKey.Root, self));
        if (header.Token.Generation is not { } generation)
            return parts;

        // Rows of dead generations exist until they are swept.
        var prefix = RowKeys.Part(key, generation.ToHex(), "");
        foreach (var row in rows)
        {
            if (row.RowKey.StartsWith(prefix, StringComparison.Ordinal))
                parts.Add(new StoredPart(SubKeyOf(row.RowKey.AsSpan(prefix.Length)), RowValue.Read(row) ?? throw Damaged()));
        }

        return parts;
    }

    private static SubKey SubKeyOf(ReadOnlySpan<char> encoded)
    {
        try
        {
            return new SubKey(RowKeys.Decode(encoded)) is { IsRoot: false } subKey ? subKey : throw Damaged();
        }
        catch (Exception error) when (error is FormatException or DecoderFallbackException or InvalidKeyException)
        {
            throw Damaged();
        }
    }

    private static StoreException Damaged() => AzureTablesErrors.Damaged("A part's row");
}
