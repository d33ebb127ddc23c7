using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>
/// Reads batches of one store partition. Each answer is bounded by bytes, large objects are read in pages, and an unreadable key is isolated.
/// </summary>
internal sealed class PartitionReader(StoreCalls calls, SessionPool sessions, TimeSpan budget)
{
    /// <summary>
    /// The most bytes of one answer or page, which need only a small part of a call's time limit. The largest single value has the same size.
    /// </summary>
    private const long MostBytes = 16 << 20;

    /// <summary>The smaller bound after the server ended an answer for its time or memory.</summary>
    private const long FewBytes = 1 << 20;

    /// <summary>The most bytes of large objects in one request, unless a single one is larger; the lane reads the others later.</summary>
    private const long MostLargeBytes = 64 << 20;

    // A key that an older owner creates or changes during each pass counts as busy.
    private const int Passes = 3;

    private readonly SuspectKeys _suspects = new();

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        for (var pass = 0; pass < Passes; pass++)
        {
            List<int> open = [.. Enumerable.Range(0, batch.Count).Where(i => IsOpen(batch, i))];
            if (open.Count == 0)
                return;
            var large = new List<LargeKey>();
            await ReadAsync(batch, open, large, cancellationToken).ConfigureAwait(false);
            await ReadLargeAsync(batch, large, cancellationToken).ConfigureAwait(false);
        }

        batch.Fail(PostgreSqlErrors.Locked());
    }

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => calls.RunAsync(
        static (call, token) => call.Sessions.RunAsync(static (session, listing, token) => session.Lister.ListAsync(listing, token), call.Listing, token),
        (Sessions: sessions, Listing: listing),
        cancellationToken);

    private static bool IsOpen(ReadBatch batch, int index) => batch.OutcomeOf(index) is { Kind: ReadOutcomeKind.Unknown, Error: null };

    private async ValueTask ReadAsync(ReadBatch batch, List<int> open, List<LargeKey> large, CancellationToken cancellationToken)
    {
        StoreException? refused = null;
        if (!_suspects.Any)
        {
            refused = await TryAsync(batch, open, large, cancellationToken).ConfigureAwait(false);
            if (refused is null)
                return;
        }

        var isolation = new ReadIsolation(batch, _suspects, budget, (some, _, token) => TryAsync(batch, some, large, token));
        await isolation.RunAsync(refused, cancellationToken).ConfigureAwait(false);
    }

    /// <returns>An error that one of the keys may have caused; null if all were read.</returns>
    private async ValueTask<StoreException?> TryAsync(ReadBatch batch, IReadOnlyList<int> indexes, List<LargeKey> large, CancellationToken cancellationToken)
    {
        try
        {
            await SendAsync(batch, indexes, large, cancellationToken).ConfigureAwait(false);
            return null;
        }
        catch (StoreException error) when (PostgreSqlErrors.MayConcernOneKey(error))
        {
            return error;
        }
    }

    private async ValueTask SendAsync(ReadBatch batch, IReadOnlyList<int> indexes, List<LargeKey> large, CancellationToken cancellationToken)
    {
        List<LargeKey>? found;
        try
        {
            found = await SendAsync(batch, indexes, MostBytes, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error) when (error.Kind == StoreErrorKind.LimitExceeded)
        {
            found = await SendAsync(batch, indexes, FewBytes, cancellationToken).ConfigureAwait(false);
        }

        if (found is not null)
            large.AddRange(found);
    }

    private ValueTask<List<LargeKey>?> SendAsync(ReadBatch batch, IReadOnlyList<int> indexes, long mostBytes, CancellationToken cancellationToken) =>
        calls.RunAsync(
            static (call, token) => call.Sessions.RunAsync(
                static (session, call, token) => session.Reader.ReadAsync(call.Batch, call.Indexes, call.MostBytes, token), call, token),
            (Sessions: sessions, Batch: batch, Indexes: indexes, MostBytes: mostBytes),
            cancellationToken);

    private async ValueTask ReadLargeAsync(ReadBatch batch, List<LargeKey> large, CancellationToken cancellationToken)
    {
        var bytes = 0L;
        foreach (var key in large)
        {
            if (bytes > 0 && bytes + key.MissingBytes > MostLargeBytes)
            {
                batch.SetOutcome(key.Index, ReadOutcome.Of(new StoreException(
                    StoreErrorKind.LimitExceeded, "The objects of this request are too large to be read together.")));
                continue;
            }

            bytes += key.MissingBytes;
            try
            {
                // The server has reported the sizes before the values are transferred.
                batch[key.Index].CheckSize(key.MissingBytes, key.MissingParts);
                if (await ReadPagesAsync(batch, key, cancellationToken).ConfigureAwait(false))
                    batch.SetOutcome(key.Index, key.Outcome);
            }
            catch (ObjectTooLargeException error)
            {
                batch.SetOutcome(key.Index, ReadOutcome.Of(error));
            }
            catch (StoreException error) when (PostgreSqlErrors.MayConcernOneKey(error) || error.Kind == StoreErrorKind.LimitExceeded)
            {
                batch.SetOutcome(key.Index, ReadOutcome.Of(error));
            }
        }
    }

    /// <returns>Whether the key kept its stamp through all pages.</returns>
    private async ValueTask<bool> ReadPagesAsync(ReadBatch batch, LargeKey key, CancellationToken cancellationToken)
    {
        var mostBytes = MostBytes;
        while (!key.IsComplete)
        {
            var page = key.NextPage(mostBytes);
            try
            {
                var isCurrent = await calls.RunAsync(
                    static (call, token) => call.Sessions.RunAsync(static (session, call, token) => session.Pages.ReadAsync(call.Key, call.Page, token), call, token),
                    (Sessions: sessions, Key: key, Page: page),
                    cancellationToken).ConfigureAwait(false);
                if (!isCurrent)
                    return false;
                batch.ReportProgress();
            }
            catch (StoreException error) when (error.Kind is StoreErrorKind.LimitExceeded && page.Count > 1)
            {
                mostBytes = page.Sum(static value => (long)value.Size) / 2;
            }
        }

        return true;
    }
}
