using Stout.Storage;

namespace Stout.Orleans.Storage;

/// <summary>ETags of grain states: a key's version as text. A missing state has no ETag.</summary>
internal static class ETag
{
    public static string? Of(StateKind kind, Stamp version) => kind == StateKind.Absent || version.IsAbsent ? null : version.ToHex();

    /// <summary>Whether two ETags are the same. Empty texts count as missing ETags.</summary>
    public static bool Same(string? one, string? other) =>
        string.Equals(one ?? string.Empty, other ?? string.Empty, StringComparison.Ordinal);

    /// <summary>Whether the text is empty, or may be an ETag of this provider.</summary>
    public static bool IsOne(string? text) => string.IsNullOrEmpty(text) || Stamp.TryParseHex(text, out _);
}
