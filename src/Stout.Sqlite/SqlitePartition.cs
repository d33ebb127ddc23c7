using Stout.Sqlite.Native;
using Stout.Sqlite.Reading;
using Stout.Sqlite.Writing;
using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>One file: a thread that writes it, and a few that read it.</summary>
internal sealed class SqlitePartition : IStorePartition, IAsyncDisposable
{
    // The next read sees a committed claim, unless another program writes the key at that moment.
    private const int MostPasses = 4;

    private static readonly ReadOutcome NotClaimed = ReadOutcome.Of(new StoreException(StoreErrorKind.Busy, "Something else changes the key while it is claimed."));

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
            // The write never started, which is certain; the exception alone would count as unknown.
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
            // The key is read again after its claim, so that an older owner can no longer change the result.
            IReadOnlyList<int> unread = [.. Enumerable.Range(0, batch.Count)];
            for (var pass = 0; pass < MostPasses && unread.Count > 0; pass++)
            {
                if (_writer.Poison is { } poison)
                    throw poison;
                List<int> unclaimed = [];
                var toRead = unread;
                await _readers.ExecuteAsync(session => unclaimed = session.Read(batch, toRead), cancellationToken).ConfigureAwait(false);
                if (unclaimed.Count > 0)
                    await _writer.ExecuteAsync(session => session.Claim(batch, unclaimed), cancellationToken).ConfigureAwait(false);
                unread = [.. unclaimed.Where(i => batch.OutcomeOf(i).Kind == ReadOutcomeKind.Unknown)];
            }

            foreach (var index in unread)
                batch.SetOutcome(index, NotClaimed);
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
        // The writer closes last: the last connection must be allowed to checkpoint the log.
        await _readers.DisposeAsync().ConfigureAwait(false);
        await _writer.DisposeAsync().ConfigureAwait(false);
    }
}
