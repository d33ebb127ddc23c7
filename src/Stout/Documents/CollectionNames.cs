using System.Buffers;

namespace Stout.Documents;

/// <summary>Checks names of collections. The allowed characters are those that every store, URL and file name accepts unchanged.</summary>
internal static class CollectionNames
{
    private const int MaxLength = 64;

    private static readonly SearchValues<char> Allowed = SearchValues.Create("abcdefghijklmnopqrstuvwxyz0123456789-_");

    public static bool IsValid(string name) => name.Length is > 0 and <= MaxLength && !name.AsSpan().ContainsAnyExcept(Allowed);
}
