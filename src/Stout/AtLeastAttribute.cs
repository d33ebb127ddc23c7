using System.ComponentModel.DataAnnotations;
using System.Globalization;

namespace Stout;

/// <summary>Declares the minimum of an <see cref="int"/> or <see cref="long"/> option that has no maximum.</summary>
/// <param name="least">The smallest allowed value.</param>
[AttributeUsage(AttributeTargets.Property)]
public sealed class AtLeastAttribute(long least) : ValidationAttribute("The field {0} must be {1} or more.")
{
    /// <summary>The smallest allowed value.</summary>
    public long Least { get; } = least;

    /// <summary>
    /// Whether the value is at least <see cref="Least"/>. Null is valid here: <see cref="RequiredAttribute"/> checks for missing options.
    /// </summary>
    public override bool IsValid(object? value) => value switch
    {
        null => true,
        int number => number >= Least,
        long number => number >= Least,
        _ => false,
    };

    /// <inheritdoc/>
    public override string FormatErrorMessage(string name) => string.Format(CultureInfo.InvariantCulture, ErrorMessageString, name, Least);
}
