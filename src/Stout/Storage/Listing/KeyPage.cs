using System.Text;

namespace Stout.Storage;

/// <summary>One page of a listing.</summary>
/// <param name="Keys">The keys, in no particular order. Stored keys that are invalid are skipped.</param>
/// <param name="Continuation">The start of the next page; null for the last page.</param>
public sealed record KeyPage(IReadOnlyList<PartitionKey> Keys, string? Continuation)
{
    /// <summary>Creates a page, for stores that read a number of headers in the order of their row keys.</summary>
    /// <param name="listing">The request.</param>
    /// <param name="headers">All headers read, in order.</param>
    /// <returns>
    /// The page. It has a continuation, which is the last valid row key, if the store returned as many headers as requested. With a prefix longer than <see
    /// cref="LongKeys.PrefixBytes"/> it may have fewer keys than headers.
    /// </returns>
    public static KeyPage Of(in KeyListing listing, IReadOnlyList<ListedHeader> headers)
    {
        ArgumentNullException.ThrowIfNull(headers);
        var keys = new List<PartitionKey>(headers.Count);
        ReadOnlyMemory<byte> last = default;
        foreach (var header in headers)
        {
            if (LongKeys.Read(header.RowKey.Span, header.LongKey.Span) is not { } key)
                continue;
            last = header.RowKey;
            if (header.Exists && listing.Has(key))
                keys.Add(key);
        }

        return new KeyPage(keys, headers.Count < listing.MostKeys ? null : last.IsEmpty ? throw Damaged() : Encoding.UTF8.GetString(last.Span));
    }

    /// <summary>Creates a page, for stores that have all their keys in memory.</summary>
    /// <param name="listing">The request.</param>
    /// <param name="keys">All keys in any order, and whether each object exists.</param>
    public static KeyPage OfAll(in KeyListing listing, IEnumerable<(PartitionKey Key, bool Exists)> keys)
    {
        var (lower, upper) = (listing.LowerBound(), listing.UpperBound());
        var headers = keys
            .Select(static header => new ListedHeader(Encoding.UTF8.GetBytes(LongKeys.RowKeyOf(header.Key)), header.Exists, LongKeys.StoredOf(header.Key)))
            .Where(header => header.RowKey.Span.SequenceCompareTo(lower) >= 0 && header.RowKey.Span.SequenceCompareTo(upper) < 0)
            .ToList();
        headers.Sort(static (one, other) => one.RowKey.Span.SequenceCompareTo(other.RowKey.Span));
        return Of(listing, headers[..Math.Min(headers.Count, listing.MostKeys)]);
    }

    private static StoreException Damaged() => new(StoreErrorKind.Corrupt, "A page of the listing has no key that could be read.");
}
