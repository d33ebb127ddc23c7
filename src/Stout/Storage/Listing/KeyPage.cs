using System.Text;

namespace Stout.Storage;

/// <summary>One page of a listing.</summary>
/// <param name="Keys">The keys, in no particular order. A key whose bytes in the store are no key is left out.</param>
/// <param name="Continuation">Where the next page begins; null if this is the last.</param>
public sealed record KeyPage(IReadOnlyList<PartitionKey> Keys, string? Continuation)
{
    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>For stores that look at a number of headers in the order of their keys: makes the page.</summary>
    /// <param name="listing">What was asked for.</param>
    /// <param name="headers">The keys of all headers that were looked at, in UTF-8 and in order, and whether each one's object exists.</param>
    /// <returns>A page that continues after the last sound key, if there were as many headers as keys were asked for.</returns>
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

    /// <summary>For stores that have all their keys in memory: makes the page.</summary>
    /// <param name="listing">What was asked for.</param>
    /// <param name="keys">All keys, in any order, and whether each one's object exists.</param>
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

    /// <summary>The key of some UTF-8; null if the bytes are no key.</summary>
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
