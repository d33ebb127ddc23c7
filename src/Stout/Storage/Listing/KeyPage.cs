using System.Text;

namespace Stout.Storage;

/// <summary>One page of a listing.</summary>
/// <param name="Keys">The keys, in no particular order. Stored keys that are invalid are skipped.</param>
/// <param name="Continuation">The start of the next page; null for the last page.</param>
public sealed record KeyPage(IReadOnlyList<PartitionKey> Keys, string? Continuation)
{
    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Creates a page, for stores that read a number of headers in key order.</summary>
    /// <param name="listing">The request.</param>
    /// <param name="headers">All headers read: their keys in UTF-8, in order, and whether each object exists.</param>
    /// <returns>The page. It has a continuation, after the last valid key, if the store returned as many headers as requested.</returns>
    public static KeyPage Of(in KeyListing listing, IReadOnlyList<(ReadOnlyMemory<byte> Key, bool Exists)> headers)
    {
        ArgumentNullException.ThrowIfNull(headers);
        var keys = new List<PartitionKey>(headers.Count);
        string? last = null;
        foreach (var (bytes, exists) in headers)
        {
            if (Decode(bytes.Span) is not { } key)
                continue;
            last = key.Text;
            if (exists)
                keys.Add(key);
        }

        return new KeyPage(keys, headers.Count < listing.MostKeys ? null : last ?? throw Damaged());
    }

    /// <summary>Creates a page, for stores that have all their keys in memory.</summary>
    /// <param name="listing">The request.</param>
    /// <param name="keys">All keys in any order, and whether each object exists.</param>
    public static KeyPage OfAll(in KeyListing listing, IEnumerable<(PartitionKey Key, bool Exists)> keys)
    {
        var (lower, upper) = (listing.LowerBound(), listing.UpperBound());
        var headers = keys
            .Select(static header => (Key: (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(header.Key.Text), header.Exists))
            .Where(header => header.Key.Span.SequenceCompareTo(lower) >= 0 && header.Key.Span.SequenceCompareTo(upper) < 0)
            .ToList();
        headers.Sort(static (one, other) => one.Key.Span.SequenceCompareTo(other.Key.Span));
        return Of(listing, headers[..Math.Min(headers.Count, listing.MostKeys)]);
    }

    /// <summary>Decodes a key from UTF-8; null if the bytes are not a valid key.</summary>
    public static PartitionKey? Decode(ReadOnlySpan<byte> utf8)
    {
        try
        {
            return utf8.IsEmpty ? null : new PartitionKey(StrictUtf8.GetString(utf8));
        }
        catch (Exception error) when (error is InvalidKeyException or DecoderFallbackException)
        {
            return null;
        }
    }

    private static StoreException Damaged() => new(StoreErrorKind.Corrupt, "A page of the listing has no key that could be read.");
}
