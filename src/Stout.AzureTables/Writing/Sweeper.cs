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

    private static readonly TimeSpan BusyInterval = TimeSpan.FromSeconds(10);

    private readonly PartitionTable _table;
    private readonly AzureTablesOptions _options;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly CancellationTokenSource _ends = new();
    private readonly SemaphoreSlim _one = new(1);

    public Sweeper(PartitionTable table, AzureTablesOptions options, TimeProvider time)
    {
        _table = table;
        _options = options;
        _time = time;
        _timer = time.CreateTimer(static sweeper => _ = ((Sweeper)sweeper!).SweepOnTimeAsync(), this, options.SweepInterval, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Removes all that can be removed now.</summary>
    /// <returns>Whether there was anything to do.</returns>
    /// <exception cref="StoreException">The store is in trouble; what is left is left to the next time.</exception>
    public async Task<bool> SweepAsync(CancellationToken cancellationToken)
    {
        await _one.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var found = false;
            var query = RowQuery.Range(_table.Name, RowKeys.Garbage, Garbage.EndOfDue(_time.GetUtcNow()));
            RowPage page;
            do
            {
                page = await _table.QueryAsync(query, cancellationToken).ConfigureAwait(false);
                found |= page.Rows.Count > 0;
                await Parallel.ForEachAsync(
                    page.Rows,
                    new ParallelOptions { MaxDegreeOfParallelism = KeysAtOnce, CancellationToken = cancellationToken },
                    SweepOneAsync).ConfigureAwait(false);
                query = query with { From = page.Next };
            }
            while (page.Next is not null);
            return found;
        }
        finally
        {
            _one.Release();
        }
    }

    /// <summary>Waits for the sweep that is under way, which ends soon.</summary>
    public async ValueTask DisposeAsync()
    {
        await _ends.CancelAsync().ConfigureAwait(false);
        await _timer.DisposeAsync().ConfigureAwait(false);
        await _one.WaitAsync().ConfigureAwait(false);
        _one.Dispose();
        _ends.Dispose();
    }

    private async Task SweepOnTimeAsync()
    {
        var next = _options.SweepInterval;
        try
        {
            // Where there was garbage there will be more.
            if (await SweepAsync(_ends.Token).ConfigureAwait(false) && BusyInterval < next)
                next = BusyInterval;
        }
        catch (Exception error) when (error is StoreException or OperationCanceledException or ObjectDisposedException)
        {
            // Nothing waits for it: the notes are still there for the next time.
        }

        if (!_ends.IsCancellationRequested)
            _timer.Change(next, Timeout.InfiniteTimeSpan);
    }

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
            var due = deletedAt + _options.DeletedHeaderRetention;
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
        foreach (var some in rows.Chunk(TransactionBody.MaxEntities))
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
