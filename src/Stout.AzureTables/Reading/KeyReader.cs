using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.AzureTables.Writing;
using Stout.Storage;

namespace Stout.AzureTables.Reading;

/// <summary>Reads one key with one request: its header and its parts form a range of rows.</summary>
/// <remarks>
/// One page shows the rows of one moment. After several pages the header is read again, and if it has changed, the whole read starts again. A claim needs no
/// second read of the header: the claim is conditional on the header, and parts never change without their header.
/// </remarks>
internal sealed class KeyReader(PartitionTable table, EpochFloor floor, KeyClaimer claimer)
{
    // Each further attempt means that another client has written or claimed the key meanwhile.
    private const int MaxAttempts = 20;

    /// <exception cref="OperationCanceledException">The caller has cancelled.</exception>
    public async ValueTask<ReadOutcome> ReadAsync(KeyRead read, ReadBatch batch, CancellationToken cancellationToken)
    {
        var key = RowKeys.Encode(read.Key);
        try
        {
            Header? before = null;
            for (var attempt = 0; attempt < MaxAttempts; attempt++)
            {
                var (outcome, header) = await TryReadAsync(key, read, batch, before, cancellationToken).ConfigureAwait(false);
                if (outcome is { } settled)
                    return settled;
                before = header;
            }
        }
        catch (StoreException error)
        {
            return ReadOutcome.Of(error);
        }

        return ReadOutcome.Of(new StoreException(StoreErrorKind.Busy, "The key changes faster than it can be read."));
    }

    /// <param name="key">The encoded key.</param>
    /// <param name="read">The read.</param>
    /// <param name="batch">The batch of the read, which makes progress with each page.</param>
    /// <param name="before">The header that the previous attempt has found, or null.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The outcome, or null if the key has changed meanwhile; and the header that was found.</returns>
    private async ValueTask<(ReadOutcome? Outcome, Header? Header)> TryReadAsync(string key, KeyRead read, ReadBatch batch, Header? before, CancellationToken cancellationToken)
    {
        var (rows, pages) = await FindAsync(key, read, batch, cancellationToken).ConfigureAwait(false);

        // The header sorts first. Rows without a header belong to a removed key.
        var found = rows.Count > 0 && rows[0].RowKey == RowKeys.Header(key) ? Header.Of(rows[0]) : null;
        if (found is not null && LongKeys.IsLong(read.Key) && !LongKeys.Matches(read.Key, rows[0].LongKeyOf()))
            throw LongKeys.Mismatch();
        var header = found;
        if (read.Claim is { } claim)
        {
            if (await floor.JudgeAsync(found?.Key ?? default, claim, cancellationToken).ConfigureAwait(false) is not { } owner)
                return (ReadOutcome.FencedBy(found?.Key ?? default), null);
            if (owner != (found?.Token.Owner ?? KeyOwner.None))
                header = await claimer.ClaimAsync(key, read.Key, found, before, owner, cancellationToken).ConfigureAwait(false);
            if (header is null && owner != KeyOwner.None)
                return (null, found);
        }

        if (header is null)
            return (ReadOutcome.NotFound(Stamp.Absent), null);
        if (header == found && pages > 1 && await IsChangedAsync(key, header, cancellationToken).ConfigureAwait(false))
            return (null, null);
        return (OutcomeOf(key, header, rows, read), null);
    }

    private async ValueTask<(IReadOnlyList<TableEntity> Rows, int Pages)> FindAsync(string key, KeyRead read, ReadBatch batch, CancellationToken cancellationToken)
    {
        if (read.ReadsParts)
            return await table.QueryAllAsync(RowQuery.Prefix(table.Name, RowKeys.Header(key)), cancellationToken, batch).ConfigureAwait(false);
        var row = await table.FindAsync(
            RowKeys.Header(key), LongKeys.IsLong(read.Key) ? Layout.LongKeyHeaderProperties : Layout.HeaderProperties, cancellationToken).ConfigureAwait(false);
        return (row is null ? [] : [row], 1);
    }

    private static ReadOutcome OutcomeOf(string key, Header header, IReadOnlyList<TableEntity> rows, KeyRead read)
    {
        if (header.IsDeleted)
        {
            return rows.Count == 0 || RowValue.Read(rows[0]) is null
                ? ReadOutcome.NotFound(header.Version, header.Token, header.Token.Owner)
                : throw AzureTablesErrors.Damaged("A header");
        }

        if (!read.ReadsParts)
            return ReadOutcome.Found(header.Version, [], header.Token, header.Token.Owner);
        var parts = PartsOf(key, header, rows);
        return ReadOutcome.Found(header.Version, parts, header.Token with { Parts = KnownParts.Of(parts) }, header.Token.Owner);
    }

    private async ValueTask<bool> IsChangedAsync(string key, Header header, CancellationToken cancellationToken)
    {
        var now = await table.FindAsync(RowKeys.Header(key), Layout.HeaderProperties, cancellationToken).ConfigureAwait(false);
        return now is null || now.ETag != header.Token.ETag;
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
            return SubKeyBytes.TryRead(RowKeys.DecodeBytes(encoded), out var subKey) && !subKey.IsRoot ? subKey : throw Damaged();
        }
        catch (FormatException)
        {
            throw Damaged();
        }
    }

    private static StoreException Damaged() => AzureTablesErrors.Damaged("A part's row");
}
