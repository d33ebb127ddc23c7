using System.Runtime.CompilerServices;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>Lists the keys of a store in pages, one store partition after another. Each page has a time limit and retries.</summary>
internal sealed class KeyLister(StoutOptions options, TimeProvider time)
{
    // The keys of one page. With keys of 256 bytes a page has a quarter of a MiB.
    private const int MostKeys = 1_000;

    private readonly RetryDelay _retryDelay = new(options.MinRetryDelay, options.MaxRetryDelay, Random.Shared);

    public async IAsyncEnumerable<PartitionKey> ListAsync(
        IReadOnlyList<IStorePartition> partitions, string prefix, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var partition in partitions)
        {
            var listing = new KeyListing(prefix, MostKeys);
            while (true)
            {
                var page = await ListAsync(partition, listing, cancellationToken).ConfigureAwait(false);
                foreach (var key in page.Keys)
                    yield return key;
                if (page.Continuation is null)
                    break;
                listing = listing with { Continuation = page.Continuation };
            }
        }
    }

    private async ValueTask<KeyPage> ListAsync(IStorePartition partition, KeyListing listing, CancellationToken cancellationToken)
    {
        var start = time.GetTimestamp();
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await AskAsync(partition, listing, cancellationToken).ConfigureAwait(false);
            }
            catch (StoreException error) when (MayPass(error.Kind) && time.GetElapsedTime(start) < options.UnreachableTimeout)
            {
                await Task.Delay(_retryDelay.After(attempt, error.RetryAfter), time, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    private async ValueTask<KeyPage> AskAsync(IStorePartition partition, KeyListing listing, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(options.RequestTimeout, time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            return await partition.ListAsync(listing, both.Token).AsTask().WaitAsync(both.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw StoreErrors.TimedOut();
        }
    }

    private static bool MayPass(StoreErrorKind kind) =>
        kind is StoreErrorKind.Unreachable or StoreErrorKind.Overloaded or StoreErrorKind.Busy or StoreErrorKind.Unknown or StoreErrorKind.LimitExceeded;
}
