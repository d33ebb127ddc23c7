using System.Diagnostics.CodeAnalysis;

namespace Stout;

/// <summary>
/// The key of one object of the service, such as a document. One middle-tier server owns a key at a time. The key is the unit of ordering, atomicity
/// and failure (the paper, section 4.1).
/// </summary>
/// <remarks>Two keys are equal when their UTF-16 texts are equal, unit by unit: no case folding, no normalization.</remarks>
public readonly struct PartitionKey : IEquatable<PartitionKey>
{
    /// <summary>
    /// The longest key, in bytes of UTF-8. If a key is longer than <see cref="Storage.LongKeys.MaxShortBytes"/>, a store names the key's rows by a
    /// prefix and a hash of the key; see <see cref="Storage.LongKeys"/>.
    /// </summary>
    public const int MaxBytes = 4_096;

    private readonly string? _text;

    /// <summary>Creates a key from a text.</summary>
    /// <param name="text">1 to <see cref="MaxBytes"/> bytes once encoded as UTF-8; any character, U+0000 included, but no lone surrogate.</param>
    /// <exception cref="InvalidKeyException">The text is empty, too long, or not well-formed UTF-16.</exception>
    public PartitionKey(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (text.Length == 0)
            throw new InvalidKeyException(InvalidKeyReason.Empty, 0, MaxBytes);
        KeyText.Validate(text, MaxBytes);
        _text = text;
    }

    /// <summary>The key's text.</summary>
    public string Text => _text ?? string.Empty;

    /// <inheritdoc/>
    public bool Equals(PartitionKey other) => string.Equals(_text, other._text, StringComparison.Ordinal);

    /// <inheritdoc/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is PartitionKey other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Text.GetHashCode(StringComparison.Ordinal);

    /// <summary>The key's text.</summary>
    public override string ToString() => Text;

    /// <summary>Whether both are the same key.</summary>
    public static bool operator ==(PartitionKey left, PartitionKey right) => left.Equals(right);

    /// <summary>Whether the two are different keys.</summary>
    public static bool operator !=(PartitionKey left, PartitionKey right) => !left.Equals(right);
}
