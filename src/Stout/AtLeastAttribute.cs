using System.ComponentModel.DataAnnotations;
using System.Globalization;

namespace Stout;

/// <summary>The least value of an option that is an <see cref="int"/> or a <see cref="long"/> and has no upper limit.</summary>
/// <param name="least">The least that is allowed.</param>
[AttributeUsage(AttributeTargets.Property)]
public sealed class AtLeastAttribute(long least) : ValidationAttribute("The field {0} must be {1} or more.")
{
    /// <summary>The least that is allowed.</summary>
    public long Least { get; } = least;

    /// <summary>Whether the value is large enough. An option that is not set is left to <see cref="RequiredAttribute"/>.</summary>
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
