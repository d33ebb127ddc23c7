using Azure;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>
/// Removes rows that no reader can reach: first the rows of dead generations, then headers without an object. Such a header is removed once its last deletion
/// or claim is older than the retention. Several clients may sweep one partition; each skips rows that another one has removed.
/// </summary>
internal sealed class Sweeper : IAsyncDisposable
{
    // Each key takes four sequential requests. This many concurrent keys keep up with some hundred deletions a second.
    private const int KeysAtOnce = 8;

    private readonly PartitionTable _table;
    private readonly EpochFloor _floor;
    private readonly StoreSweepOptions _options;
    private readonly TimeProvider _time;
    private readonly int _batchSize;
    // The numbers of dead generations at which a sweep starts, and at which writes wait for it. A generation left to the sweeper usually has more than 40
    // parts: smaller ones are deleted in the transaction that replaces them.
    private const int Due = 16;
    private const int MostLeft = 64;

    public Sweeper(PartitionTable table, EpochFloor floor, StoreSweepOptions options, TimeProvider time)
    {
        _table = table;
        _floor = floor;
        _options = options;
        _time = time;
        _batchSize = Math.Min(options.BatchSize ?? TransactionBody.MaxEntities, TransactionBody.MaxEntities);
        Backlog = new SweepBacklog(time, options.Interval, Due, MostLeft, (_, token) => SweepAsync(token));
    }

    /// <summary>The dead generations that writes of this process have left.</summary>
    public SweepBacklog Backlog { get; }

    /// <summary>Removes everything that is due.</summary>
    /// <exception cref="StoreException">The store failed; the notes are left to the next sweep.</exception>
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

    /// <summary>Waits for the current sweep, which ends soon.</summary>
    public ValueTask DisposeAsync() => Backlog.DisposeAsync();

    /// <summary>Sweeps one key. A damaged note or header is skipped, so that other keys are still swept.</summary>
    private async ValueTask SweepOneAsync(TableEntity note, CancellationToken cancellationToken)
    {
        try
        {
            await SweepAsync(note, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error) when (error.Kind == StoreErrorKind.Corrupt)
        {
            // An administrator has to repair the row.
            Backlog.Job.Fail(error);
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
            // A time near the end of the calendar also means damage.
            if (deletedAt > DateTimeOffset.MaxValue - _options.Retention)
                throw AzureTablesErrors.Damaged("A stored time");
            var due = deletedAt + _options.Retention;
            if (due > _time.GetUtcNow())
                (garbage with { Generation = null, Due = due }).AddTo(body);
            else if (await HasRowsAsync(garbage.Key, cancellationToken).ConfigureAwait(false))
                return;
            else
                await RemoveHeaderAsync(body, header.RowKey, last.Token, cancellationToken).ConfigureAwait(false);
        }

        // A failed condition means that another client has written or swept the key; the next sweep checks a remaining note again.
        await _table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Raises the floor to the header's epoch before the header is removed: that epoch must not be given again.</summary>
    private async ValueTask RemoveHeaderAsync(TransactionBody body, string row, HeaderToken header, CancellationToken cancellationToken)
    {
        await _floor.RaiseAsync(header.Owner.Epoch, cancellationToken).ConfigureAwait(false);
        body.Delete(row, header.ETag);
    }

    private async ValueTask<bool> HasRowsAsync(string key, CancellationToken cancellationToken)
    {
        var query = RowQuery.Prefix(_table.Name, RowKeys.Header(key)) with { Select = Layout.RowKeyAlone, Top = 2 };
        var page = await _table.QueryAsync(query, cancellationToken).ConfigureAwait(false);
        return page.Rows.Count > 1 || page.Next is not null;
    }

    /// <returns>Whether all rows are removed; if not, another sweeper is removing them.</returns>
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
