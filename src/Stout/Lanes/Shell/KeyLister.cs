using System.Runtime.CompilerServices;
using Stout.Storage;

namespace Stout.Lanes.Shell;

/// <summary>Lists keys of a store, page by page and one store partition after another.</summary>
internal sealed class KeyLister(StoreQuestions store)
{
    // The most keys of one page. In memory (UTF-16), a page takes 0.5 MiB with keys of 256 characters, and 8 MiB with the longest keys.
    private const int MostKeys = 1_000;

    public async IAsyncEnumerable<PartitionKey> ListAsync(
        IReadOnlyList<IStorePartition> partitions, string prefix, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var partition in partitions)
        {
            var listing = new KeyListing(prefix, MostKeys);
            while (true)
            {
                var (from, asked) = (partition, listing);
                var page = await store.AskAsync(token => from.ListAsync(asked, token), cancellationToken).ConfigureAwait(false);
                foreach (var key in page.Keys)
                    yield return key;
                if (page.Continuation is null)
                    break;
                listing = listing with { Continuation = page.Continuation };
            }
        }
    }
}
