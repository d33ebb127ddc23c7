namespace Stout.Documents;

/// <summary>
/// What an object takes in memory beside its bytes, for the bound on the cache. The figures are for 64-bit processes, and a test measures
/// them (<c>DocumentMemoryTests</c>).
/// </summary>
internal static class MemoryCost
{
    /// <summary>An object without parts: its locks, its state, its handle, and its places in the lane's, the collection's and the cache's tables.</summary>
    private const int Document = 1_000;

    /// <summary>A part without its name and value: the objects for it, its place in the table, and the headers of the name and the value.</summary>
    private const int Part = 160;

    /// <summary>What an object without parts takes. Its id stands in memory twice: by itself, and as the end of its key.</summary>
    public static long OfDocument(string id) => Document + (2L * sizeof(char) * id.Length);

    /// <summary>What a part takes. A value that is neither a text nor bytes counts as many bytes as it has in its serialized form.</summary>
    public static long OfPart(string name, object? value, int serializedBytes) =>
        Part + (sizeof(char) * (long)name.Length) + (value is string text ? sizeof(char) * (long)text.Length : serializedBytes);
}
