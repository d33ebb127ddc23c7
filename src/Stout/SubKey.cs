using System.Diagnostics.CodeAnalysis;

namespace Stout;

/// <summary>
/// The name of a part of an object, such as a section of a document. A change of a part does not write the whole object (the paper, section 4.4). The
/// empty sub-key names the object's own value.
/// </summary>
public readonly struct SubKey : IEquatable<SubKey>, IComparable<SubKey>
{
    /// <summary>The longest sub-key, in bytes of UTF-8.</summary>
    public const int MaxBytes = 128;

    private readonly string? _text;

    /// <summary>Creates a sub-key from a text.</summary>
    /// <param name="text">0 to <see cref="MaxBytes"/> bytes once encoded as UTF-8; any character, but no lone surrogate.</param>
    /// <exception cref="InvalidKeyException">The text is too long or not well-formed UTF-16.</exception>
    public SubKey(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        KeyText.Validate(text, MaxBytes);
        _text = text.Length == 0 ? null : text;
    }

    /// <summary>The empty sub-key: the object's own value.</summary>
    public static SubKey Root => default;

    /// <summary>Whether this is the empty sub-key.</summary>
    public bool IsRoot => _text is null;

    /// <summary>The sub-key's text; empty for the object's own value.</summary>
    public string Text => _text ?? string.Empty;

    /// <summary>Orders sub-keys by their UTF-16 units.</summary>
    public int CompareTo(SubKey other) => string.CompareOrdinal(Text, other.Text);

    /// <inheritdoc/>
    public bool Equals(SubKey other) => string.Equals(_text, other._text, StringComparison.Ordinal);

    /// <inheritdoc/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is SubKey other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Text.GetHashCode(StringComparison.Ordinal);

    /// <summary>The sub-key's text.</summary>
    public override string ToString() => Text;

    /// <summary>Whether both are the same sub-key.</summary>
    public static bool operator ==(SubKey left, SubKey right) => left.Equals(right);

    /// <summary>Whether the two are different sub-keys.</summary>
    public static bool operator !=(SubKey left, SubKey right) => !left.Equals(right);

    /// <summary>Whether <paramref name="left"/> comes before <paramref name="right"/>.</summary>
    public static bool operator <(SubKey left, SubKey right) => left.CompareTo(right) < 0;

    /// <summary>Whether <paramref name="left"/> comes after <paramref name="right"/>.</summary>
    public static bool operator >(SubKey left, SubKey right) => left.CompareTo(right) > 0;

    /// <summary>Whether <paramref name="left"/> does not come after <paramref name="right"/>.</summary>
    public static bool operator <=(SubKey left, SubKey right) => left.CompareTo(right) <= 0;

    /// <summary>Whether <paramref name="left"/> does not come before <paramref name="right"/>.</summary>
    public static bool operator >=(SubKey left, SubKey right) => left.CompareTo(right) >= 0;
}
