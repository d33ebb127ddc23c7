using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>
/// Reads batches of one store partition. Each answer is bounded by bytes, large objects are read in pages, and an unreadable key is isolated.
/// </summary>
internal sealed class PartitionReader(StoreCalls calls, SessionPool sessions, TimeSpan budget)
{
    /// <summary>The most bytes of one answer or page, which need only a small part of a call's time limit. A single value has at most this size, too.</summary>
    private const long MostBytes = 16 << 20;

    /// <summary>The smaller bound, used after the server has ended a request for lack of time or memory.</summary>
    private const long FewBytes = 1 << 20;

    /// <summary>The most bytes of large objects in one request, unless a single one is larger; the lane reads the others later.</summary>
    private const long MostLargeBytes = 64 << 20;

    // A key that other transactions lock or change during each pass counts as busy.
    private const int Passes = 3;

    private readonly SuspectKeys _suspects = new();

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        var claimed = new HashSet<int>();
        for (var pass = 0; pass < Passes; pass++)
        {
            List<int> open = [.. Enumerable.Range(0, batch.Count).Where(i => IsOpen(batch, i))];
            if (open.Count == 0)
                return;
            var large = new List<LargeKey>();
            await ReadAsync(new Request(batch, claimed, large), open, cancellationToken).ConfigureAwait(false);
            await ReadLargeAsync(batch, large, cancellationToken).ConfigureAwait(false);

            // Another claim may have taken the key between two pages. The claim of this read was earlier, so it must not take the key back.
            claimed.UnionWith(large.Where(key => key.IsClaimed && IsOpen(batch, key.Index)).Select(static key => key.Index));
        }

        batch.Fail(PostgreSqlErrors.Locked());
    }

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => calls.RunAsync(
        static (call, token) => call.Sessions.RunAsync(static (session, listing, token) => session.Lister.ListAsync(listing, token), call.Listing, token),
        (Sessions: sessions, Listing: listing),
        cancellationToken);

    private static bool IsOpen(ReadBatch batch, int index) => batch.OutcomeOf(index) is { Kind: ReadOutcomeKind.Unknown, Error: null };

    private async ValueTask ReadAsync(Request request, List<int> open, CancellationToken cancellationToken)
    {
        StoreException? refused = null;
        if (!_suspects.Any)
        {
            refused = await TryAsync(request, open, cancellationToken).ConfigureAwait(false);
            if (refused is null)
                return;
        }

        var isolation = new ReadIsolation(request.Batch, _suspects, budget, (some, _, token) => TryAsync(request, some, token));
        await isolation.RunAsync(refused, cancellationToken).ConfigureAwait(false);
    }

    /// <returns>An error that one of the keys may have caused; null if all were read.</returns>
    private async ValueTask<StoreException?> TryAsync(Request request, IReadOnlyList<int> indexes, CancellationToken cancellationToken)
    {
        try
        {
            await SendAsync(request, indexes, cancellationToken).ConfigureAwait(false);
            return null;
        }
        catch (StoreException error) when (PostgreSqlErrors.MayConcernOneKey(error))
        {
            return error;
        }
    }

    private async ValueTask SendAsync(Request request, IReadOnlyList<int> indexes, CancellationToken cancellationToken)
    {
        List<LargeKey>? found;
        try
        {
            found = await SendAsync(request, indexes, MostBytes, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error) when (error.Kind == StoreErrorKind.LimitExceeded)
        {
            found = await SendAsync(request, indexes, FewBytes, cancellationToken).ConfigureAwait(false);
        }

        if (found is not null)
            request.Large.AddRange(found);
    }

    private ValueTask<List<LargeKey>?> SendAsync(Request request, IReadOnlyList<int> indexes, long mostBytes, CancellationToken cancellationToken) =>
        calls.RunAsync(
            static (call, token) => call.Sessions.RunAsync(
                static (session, call, token) => session.Reader.ReadAsync(call.Request.Batch, call.Indexes, call.Request.Claimed, call.MostBytes, token), call, token),
            (Sessions: sessions, Request: request, Indexes: indexes, MostBytes: mostBytes),
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

    /// <returns>Whether the key kept its header through all pages.</returns>
    private async ValueTask<bool> ReadPagesAsync(ReadBatch batch, LargeKey key, CancellationToken cancellationToken)
    {
        var mostBytes = MostBytes;
        while (!key.IsComplete)
        {
            var page = key.NextPage(mostBytes);
            try
            {
                var isCurrent = await calls.RunAsync(
                    static (call, token) => call.Sessions.RunAsync(static (session, call, token) => session.Pages.ReadAsync(call.Key, call.Page, call.Batch, token), call, token),
                    (Sessions: sessions, Key: key, Page: page, Batch: batch),
                    cancellationToken).ConfigureAwait(false);
                if (!isCurrent)
                    return false;
            }
            catch (StoreException error) when (error.Kind is StoreErrorKind.LimitExceeded && page.Count > 1)
            {
                mostBytes = page.Sum(static value => (long)value.Size) / 2;
            }
        }

        return true;
    }

    /// <summary>One pass over a batch.</summary>
    /// <param name="Batch">The batch.</param>
    /// <param name="Claimed">The keys that an earlier pass has claimed.</param>
    /// <param name="Large">The keys whose values did not fit into the answers of this pass.</param>
    private sealed record Request(ReadBatch Batch, IReadOnlySet<int> Claimed, List<LargeKey> Large);
}
