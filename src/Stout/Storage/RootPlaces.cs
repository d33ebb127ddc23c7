namespace Stout.Storage;

/// <summary>The rule that decides which values are in the header, for proxies.</summary>
public static class RootPlaces
{
    /// <summary>The longest own value in a header, in bytes. Longer values are rows.</summary>
    public const int MaxInlineBytes = 4_096;

    /// <summary>Whether a change concerns a row of its own. An own value that is removed, or fits into the header, does not.</summary>
    /// <param name="part">The change.</param>
    public static bool IsRow(in PartWrite part) => !part.SubKey.IsRoot || part.Value.Length > MaxInlineBytes;

    /// <summary>The place of a changed part's value.</summary>
    /// <param name="part">The change.</param>
    public static RootPlace Of(in PartWrite part) => part.IsDeleted ? RootPlace.None : IsRow(part) ? RootPlace.Row : RootPlace.Inline;
}
