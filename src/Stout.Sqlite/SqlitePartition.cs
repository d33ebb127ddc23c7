using Stout.Sqlite.Native;
using Stout.Sqlite.Reading;
using Stout.Sqlite.Writing;
using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>One file: a thread that writes it, and a few that read it.</summary>
internal sealed class SqlitePartition : IStorePartition, IAsyncDisposable
{
    private readonly StorageLimits _limits;
    private readonly Writer _writer;
    private readonly ReaderPool _readers;

    /// <exception cref="SqliteFailure">The file cannot be used.</exception>
    /// <exception cref="StoreException">The file's schema is not this library's.</exception>
    public SqlitePartition(string path, string lockPath, SqliteOptions options, TimeProvider time)
    {
        _limits = SqliteLimits.For(options);
        _writer = new Writer(path, lockPath, options, time);
        _readers = new ReaderPool(path, _writer.Files, options, time);
    }

    public int PreferredInFlight => _writer.PreferredInFlight;

    public IReadOnlyList<BackgroundJob> BackgroundJobs => _writer.Jobs;

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        _limits.Admit(batch);
        try
        {
            await _writer.ExecuteAsync(session => session.Write(batch), cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException withdrawn)
        {
            // A cancellation is thrown only before the write starts, so the batch is certainly not applied. Without these outcomes, the exception would
            // make the lane treat the keys as unknown.
            for (var i = 0; i < batch.Count; i++)
            {
                if (batch.OutcomeOf(i).Kind == WriteOutcomeKind.Unknown)
                    batch.SetOutcome(i, new WriteOutcome(WriteOutcomeKind.Unreachable, Error: withdrawn));
            }

            throw;
        }
    }

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        _limits.Admit(batch);
        try
        {
            // Claims are committed first, so an older owner can't change the parts that are read afterwards.
            List<int>? claims = null;
            for (var i = 0; i < batch.Count; i++)
            {
                if (batch[i].Kind == KeyReadKind.Claim)
                    (claims ??= []).Add(i);
            }

            if (claims is not null)
                await _writer.ExecuteAsync(session => session.Claim(batch, claims), cancellationToken).ConfigureAwait(false);
            if (_writer.Poison is { } poison)
                throw poison;
            var unread = new List<int>(batch.Count);
            for (var i = 0; i < batch.Count; i++)
            {
                if (claims is null || batch.OutcomeOf(i) is { Kind: ReadOutcomeKind.Unknown, Error: null })
                    unread.Add(i);
            }

            if (unread.Count > 0)
                await _readers.ExecuteAsync(session => session.Read(batch, unread), cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error)
        {
            batch.Fail(error);
        }
        catch (SqliteFailure failure)
        {
            batch.Fail(failure.Poisons ? SqliteErrors.ClassifyForGood(failure) : SqliteErrors.Classify(failure));
        }
    }

    public async ValueTask RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken) =>
        await _writer.ExecuteAsync(session => session.RaiseEpochFloor(epoch), cancellationToken).ConfigureAwait(false);

    public async ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken)
    {
        if (_writer.Poison is { } poison)
            throw poison;
        var page = default(KeyPage);
        try
        {
            await _readers.ExecuteAsync(session => page = session.List(listing), cancellationToken).ConfigureAwait(false);
        }
        catch (SqliteFailure failure)
        {
            throw failure.Poisons ? SqliteErrors.ClassifyForGood(failure) : SqliteErrors.Classify(failure);
        }

        return page!;
    }

    public async ValueTask DisposeAsync()
    {
        // The writer closes last, since SQLite checkpoints and deletes the log at the last close, which needs a connection that may write.
        await _readers.DisposeAsync().ConfigureAwait(false);
        await _writer.DisposeAsync().ConfigureAwait(false);
    }
}
