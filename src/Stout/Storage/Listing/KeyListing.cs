using System.Text;

namespace Stout.Storage;

/// <summary>Asks a store partition for one page of the keys of its objects.</summary>
/// <param name="Prefix">What the keys begin with, compared byte by byte in UTF-8; empty for all.</param>
/// <param name="MostKeys">How many keys the page should have at most, 1 or more. A page may have fewer, and none, and yet not be the last.</param>
/// <param name="Continuation">The continuation of the page before; null for the first page.</param>
public readonly record struct KeyListing(string Prefix, int MostKeys, string? Continuation = null)
{
    /// <summary>For stores that list in the order of the keys' UTF-8, and continue after a key: the least bytes that may be listed, themselves included.</summary>
    public byte[] LowerBound()
    {
        if (Continuation is null)
            return Encoding.UTF8.GetBytes(Prefix);
        // The least that is greater.
        var last = new byte[Encoding.UTF8.GetByteCount(Continuation) + 1];
        Encoding.UTF8.GetBytes(Continuation, last);
        return last;
    }

    /// <summary>For the same stores: the least bytes that are greater than all which begin with the prefix. No UTF-8 has a byte of 255.</summary>
    public byte[] UpperBound()
    {
        var bytes = Encoding.UTF8.GetBytes(Prefix);
        if (bytes.Length == 0)
            return [byte.MaxValue];
        bytes[^1]++;
        return bytes;
    }
}
