using System.Text;

namespace Stout.Storage;

/// <summary>A request for one page of the keys of a store partition.</summary>
/// <param name="Prefix">The prefix of the keys, compared byte by byte in UTF-8; empty for all keys.</param>
/// <param name="MostKeys">The most keys of the page, 1 or more. A page may have fewer keys, or be empty, without being the last.</param>
/// <param name="Continuation">The continuation of the previous page; null for the first page.</param>
public readonly record struct KeyListing(string Prefix, int MostKeys, string? Continuation = null)
{
    /// <summary>
    /// The prefix of the row keys to read: <see cref="Prefix"/>, cut to the <see cref="LongKeys.PrefixBytes"/> that the row key of a long key begins with.
    /// </summary>
    public string RowPrefix => LongKeys.CutPrefix(Prefix);

    /// <summary>The inclusive lower bound of the row keys to read, for stores that list in UTF-8 order and continue after a row key.</summary>
    public byte[] LowerBound()
    {
        if (Continuation is null)
            return Encoding.UTF8.GetBytes(RowPrefix);

        // The continuation and a byte of 0: the smallest byte string that is greater than the continuation.
        var last = new byte[Encoding.UTF8.GetByteCount(Continuation) + 1];
        Encoding.UTF8.GetBytes(Continuation, last);
        return last;
    }

    /// <summary>
    /// The exclusive upper bound of the row keys to read, for the same stores: the prefix with its last byte raised by 1. UTF-8 never contains the byte
    /// 255, so the byte cannot overflow.
    /// </summary>
    public byte[] UpperBound()
    {
        var bytes = Encoding.UTF8.GetBytes(RowPrefix);
        if (bytes.Length == 0)
            return [byte.MaxValue];
        bytes[^1]++;
        return bytes;
    }

    /// <summary>
    /// Whether a key belongs to the listing. <see cref="RowPrefix"/> may be shorter than <see cref="Prefix"/>, so a row key that begins with it may belong
    /// to a key without the prefix.
    /// </summary>
    public bool Has(PartitionKey key) => key.Text.StartsWith(Prefix, StringComparison.Ordinal);
}
