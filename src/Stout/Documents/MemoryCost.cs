namespace Stout.Documents;

/// <summary>
/// Estimates an object's memory, including that of its values, for the cache's bound. The figures apply to 64-bit processes; a test measures them
/// (<c>DocumentMemoryTests</c>).
/// </summary>
internal static class MemoryCost
{
    /// <summary>The bytes of an object without parts: locks, state, handle, and entries in the tables of the lane, the collection and the cache.</summary>
    private const int Document = 1_000;

    /// <summary>The bytes of a part without its name and value: its objects, its table entry, and the headers of the name and the value.</summary>
    private const int Part = 160;

    /// <summary>The memory of an object without parts. Its id is in memory twice: by itself, and within its key.</summary>
    public static long OfDocument(string id) => Document + (2L * sizeof(char) * id.Length);

    /// <summary>The memory of a part. Values other than texts and bytes count by their serialized size.</summary>
    public static long OfPart(string name, object? value, int serializedBytes) =>
        Part + (sizeof(char) * (long)name.Length) + (value is string text ? sizeof(char) * (long)text.Length : serializedBytes);
}
