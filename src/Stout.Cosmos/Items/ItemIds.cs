using System.Buffers.Text;
using System.Text;
using Stout.Storage;

namespace Stout.Cosmos.Items;

/// <summary>
/// The ids of items. Keys are UTF-8 in base64url, without characters that the service forbids (/ \ # ?) or that some clients mishandle. An id has at
/// most 560 of the allowed 1,023 bytes.
/// </summary>
/// <remarks>
/// The ids of all items of a key start with its encoding and a dot, so they form one range. Cosmos DB always indexes ids. The encoding of
/// a key has at least two characters, so the prefix <c>g.</c> of the notes for the sweeper belongs to no key.
/// </remarks>
internal static class ItemIds
{
    /// <summary>The item of a store partition's identity.</summary>
    public const string Identity = "identity";

    /// <summary>The item with the store partition's epoch floor.</summary>
    public const string Floor = "floor";

    /// <summary>The prefix of the ids of notes for the sweeper.</summary>
    public const string GarbagePrefix = "g.";

    public static string EncodeKey(PartitionKey key) => Encode(LongKeys.RowKeyOf(key));

    /// <summary>The prefix of the ids of a key's items.</summary>
    public static string PrefixOf(string encodedKey) => encodedKey + ".";

    public static string HeaderOf(string encodedKey) => encodedKey + ".h";

    public static string GarbageOf(string encodedKey) => GarbagePrefix + encodedKey;

    public static string PartOf(string encodedKey, in Stamp generation, SubKey subKey)
    {
        var row = encodedKey + "." + EncodeGeneration(generation);
        return subKey.IsRoot ? row : row + "." + Encode(subKey.Text);
    }

    public static string EncodeGeneration(in Stamp generation)
    {
        Span<byte> bytes = stackalloc byte[Stamp.Bytes];
        generation.Write(bytes);
        return Base64Url.EncodeToString(bytes);
    }

    /// <summary>
    /// Returns a prefix that the ids of all keys with the given prefix share. Base64 encodes three bytes at a time, so ids of other keys may begin with it,
    /// too.
    /// </summary>
    public static string PrefixOfKeys(string prefix)
    {
        var utf8 = Encoding.UTF8.GetBytes(prefix);
        return Base64Url.EncodeToString(utf8.AsSpan(0, utf8.Length / 3 * 3));
    }

    /// <summary>The key of a header; null if it has no valid key.</summary>
    public static PartitionKey? KeyOf(StoredItem header)
    {
        try
        {
            return LongKeys.Read(Base64Url.DecodeFromChars(header.Id.AsSpan(0, header.Id.Length - HeaderOf("").Length)), header.LongKey);
        }
        catch (FormatException)
        {
            return null;
        }
    }

    /// <summary>The key in the id of a note for the sweeper.</summary>
    public static string KeyOfGarbage(string id) => id[GarbagePrefix.Length..];

    /// <summary>The generation in a part's id; empty for a header's id.</summary>
    public static ReadOnlySpan<char> GenerationOf(string id, string encodedKey)
    {
        var rest = id.AsSpan(encodedKey.Length + 1);
        if (rest is "h")
            return [];
        var end = rest.IndexOf('.');
        return end < 0 ? rest : rest[..end];
    }

    /// <summary>The sub-key in a part's id.</summary>
    /// <exception cref="StoreException">The id has no valid sub-key.</exception>
    public static SubKey SubKeyOf(string id, string encodedKey)
    {
        var rest = id.AsSpan(encodedKey.Length + 1);
        var end = rest.IndexOf('.');
        if (end < 0)
            return SubKey.Root;
        try
        {
            // Several encodings may decode to the same bytes; only one of them is written.
            var encoded = rest[(end + 1)..];
            var isRead = SubKeyBytes.TryRead(Base64Url.DecodeFromChars(encoded), out var subKey);
            return isRead && !subKey.IsRoot && encoded.SequenceEqual(Encode(subKey.Text)) ? subKey : throw new FormatException();
        }
        catch (FormatException error)
        {
            throw new StoreException(StoreErrorKind.Corrupt, "An item's id has no sub-key where one should be.", error);
        }
    }

    private static string Encode(string text) => Base64Url.EncodeToString(Encoding.UTF8.GetBytes(text));
}
