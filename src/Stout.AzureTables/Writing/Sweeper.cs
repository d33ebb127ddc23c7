using System.Globalization;
using Stout.AzureTables.Rest;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>
/// Removes what no reader can reach any more: the rows of dead generations first, and deleted headers last, when no request
/// can live that still relies on them. Several clients may sweep one partition; what one has removed the others do not find.
/// </summary>
internal sealed class Sweeper : IAsyncDisposable
{
    // Each key takes four requests, one after the other. So many keys side by side keep up with some hundred deletions a second.
    private const int KeysAtOnce = 8;

    private readonly PartitionTable _table;
    private readonly StoreSweepOptions _options;
    private readonly TimeProvider _time;
    private readonly int _batchSize;
    private readonly BackgroundLoop _loop;

    public Sweeper(PartitionTable table, StoreSweepOptions options, TimeProvider time)
    {
        _table = table;
        _options = options;
        _time = time;
        _batchSize = Math.Min(options.BatchSize ?? TransactionBody.MaxEntities, TransactionBody.MaxEntities);
        _loop = new BackgroundLoop(time, options.Interval, SweepAsync);
    }

    /// <summary>Removes all that can be removed now.</summary>
    /// <exception cref="StoreException">The store is in trouble; the notes are left to the next sweep.</exception>
    public async ValueTask SweepAsync(CancellationToken cancellationToken)
    {
        var query = RowQuery.Range(_table.Name, RowKeys.Garbage, Garbage.EndOfDue(_time.GetUtcNow()));
        RowPage page;
        do
        {
            page = await _table.QueryAsync(query, cancellationToken).ConfigureAwait(false);
            await Parallel.ForEachAsync(
                page.Rows,
                new ParallelOptions { MaxDegreeOfParallelism = KeysAtOnce, CancellationToken = cancellationToken },
                SweepOneAsync).ConfigureAwait(false);
            query = query with { From = page.Next };
        }
        while (page.Next is not null);
    }

    /// <summary>Waits for the sweep that is under way, which ends soon.</summary>
    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    /// <summary>Sweeps one key. A damaged note or header is passed over: the keys after it are swept all the same.</summary>
    private async ValueTask SweepOneAsync(Row note, CancellationToken cancellationToken)
    {
        try
        {
            await SweepAsync(note, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error) when (error.Kind == StoreErrorKind.Corrupt)
        {
            // A person has to look at it; a read of the key reports the damage.
        }
    }

    private async ValueTask SweepAsync(Row note, CancellationToken cancellationToken)
    {
        var garbage = Garbage.Of(note);
        if (garbage.Generation is { } generation
            && !await RemoveAsync(RowKeys.Part(garbage.Key, StampText.Format(generation), ""), cancellationToken).ConfigureAwait(false))
            return;

        var header = await _table.FindAsync(RowKeys.Header(garbage.Key), Layout.HeaderProperties, cancellationToken).ConfigureAwait(false);
        using var body = _table.NewTransaction();
        body.Delete(note.Key, note.ETag);
        if (header?[Layout.DeletedAt] is { } deleted && Header.Of(header) is { } last)
        {
            if (!DateTimeOffset.TryParse(deleted, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var deletedAt))
                throw new StoreException(StoreErrorKind.Corrupt, "A header's time of deletion is damaged.");
            var due = deletedAt + _options.Retention;
            if (due > _time.GetUtcNow())
                (garbage with { Generation = null, Due = due }).AddTo(body);
            else if (!await HasRowsAsync(garbage.Key, cancellationToken).ConfigureAwait(false))
                body.Delete(header.Key, last.Token.ETag);
            else
                return;
        }

        // If a condition fails, someone has written the key or swept it meanwhile: the note is looked at again next time, if it is still there.
        await _table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<bool> HasRowsAsync(string key, CancellationToken cancellationToken)
    {
        var query = RowQuery.Prefix(_table.Name, RowKeys.Header(key)) with { Select = "RowKey", Top = 2 };
        var page = await _table.QueryAsync(query, cancellationToken).ConfigureAwait(false);
        return page.Rows.Count > 1 || page.Next is not null;
    }

    /// <returns>Whether all are gone; if not, another sweeper is at work on them.</returns>
    private async ValueTask<bool> RemoveAsync(string prefix, CancellationToken cancellationToken)
    {
        var (rows, _) = await _table.QueryAllAsync(RowQuery.Prefix(_table.Name, prefix) with { Select = "RowKey" }, cancellationToken).ConfigureAwait(false);
        foreach (var some in rows.Chunk(_batchSize))
        {
            using var body = _table.NewTransaction();
            foreach (var row in some)
                body.Delete(row.Key, "*");
            var answer = await _table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
            if (answer.ETags is null)
                return false;
        }

        return true;
    }
}
