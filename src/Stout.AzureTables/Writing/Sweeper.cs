using Azure;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.AzureTables.Transactions;
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
    // A generation that is left has more than 40 parts or so: smaller ones go in the transaction that replaces them.
    private const int Due = 16;
    private const int MostLeft = 64;

    private readonly SweepBacklog _backlog;
    private readonly BackgroundLoop _loop;

    public Sweeper(PartitionTable table, StoreSweepOptions options, TimeProvider time)
    {
        _table = table;
        _options = options;
        _time = time;
        _batchSize = Math.Min(options.BatchSize ?? TransactionBody.MaxEntities, TransactionBody.MaxEntities);
        _backlog = new SweepBacklog(Due, MostLeft, time);
        _loop = new BackgroundLoop(time, options.Interval, token => _backlog.SweepAsync(SweepAsync, token));
    }

    /// <summary>Writes have left dead generations.</summary>
    public void NoteLeft(int generations) => _backlog.Add(generations, _loop);

    /// <inheritdoc cref="SweepBacklog.KeepUpAsync"/>
    public ValueTask KeepUpAsync(CancellationToken cancellationToken) => _backlog.KeepUpAsync(_loop, cancellationToken);

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
    private async ValueTask SweepOneAsync(TableEntity note, CancellationToken cancellationToken)
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

    private async ValueTask SweepAsync(TableEntity note, CancellationToken cancellationToken)
    {
        var garbage = Garbage.Of(note);
        if (garbage.Generation is { } generation
            && !await RemoveAsync(RowKeys.Part(garbage.Key, generation.ToHex(), ""), cancellationToken).ConfigureAwait(false))
            return;

        var header = await _table.FindAsync(RowKeys.Header(garbage.Key), Layout.HeaderProperties, cancellationToken).ConfigureAwait(false);
        using var body = _table.NewTransaction();
        body.Delete(note.RowKey, note.TagOf());
        if (header?.TimeOf(Layout.DeletedAt) is { } deletedAt && Header.Of(header) is { } last)
        {
            // A time at the end of all calendars is damage, too.
            if (deletedAt > DateTimeOffset.MaxValue - _options.Retention)
                throw AzureTablesErrors.Damaged("A stored time");
            var due = deletedAt + _options.Retention;
            if (due > _time.GetUtcNow())
                (garbage with { Generation = null, Due = due }).AddTo(body);
            else if (!await HasRowsAsync(garbage.Key, cancellationToken).ConfigureAwait(false))
                body.Delete(header.RowKey, last.Token.ETag);
            else
                return;
        }

        // If a condition fails, another client has written the key or swept it meanwhile: the note is looked at again next time, if it is still there.
        await _table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<bool> HasRowsAsync(string key, CancellationToken cancellationToken)
    {
        var query = RowQuery.Prefix(_table.Name, RowKeys.Header(key)) with { Select = Layout.RowKeyAlone, Top = 2 };
        var page = await _table.QueryAsync(query, cancellationToken).ConfigureAwait(false);
        return page.Rows.Count > 1 || page.Next is not null;
    }

    /// <returns>Whether all are gone; if not, another sweeper is at work on them.</returns>
    private async ValueTask<bool> RemoveAsync(string prefix, CancellationToken cancellationToken)
    {
        var (rows, _) = await _table.QueryAllAsync(RowQuery.Prefix(_table.Name, prefix) with { Select = Layout.RowKeyAlone }, cancellationToken).ConfigureAwait(false);
        foreach (var some in rows.Chunk(_batchSize))
        {
            using var body = _table.NewTransaction();
            foreach (var row in some)
                body.Delete(row.RowKey, ETag.All);
            var answer = await _table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
            if (answer.ETags is null)
                return false;
        }

        return true;
    }
}
