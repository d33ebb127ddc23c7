using System.ComponentModel.DataAnnotations;
using System.Globalization;

namespace Stout;

/// <summary>
/// Declares the inclusive range of a <see cref="TimeSpan"/> option. <see cref="RangeAttribute"/> would need reflection, which trimming may break.
/// </summary>
/// <param name="least">The smallest allowed value, as <c>[d.]hh:mm:ss[.fffffff]</c>.</param>
/// <param name="most">The largest allowed value, in the same form.</param>
[AttributeUsage(AttributeTargets.Property)]
public sealed class TimeRangeAttribute(string least, string most) : ValidationAttribute("The field {0} must be between {1} and {2}.")
{
    /// <summary>The smallest allowed value.</summary>
    public TimeSpan Least { get; } = TimeSpan.Parse(least, CultureInfo.InvariantCulture);

    /// <summary>The largest allowed value.</summary>
    public TimeSpan Most { get; } = TimeSpan.Parse(most, CultureInfo.InvariantCulture);

    /// <summary>Whether the value is in the range. Null is valid here: <see cref="RequiredAttribute"/> checks for missing options.</summary>
    public override bool IsValid(object? value) => value is null || (value is TimeSpan time && time >= Least && time <= Most);

    /// <inheritdoc/>
    public override string FormatErrorMessage(string name) => string.Format(CultureInfo.InvariantCulture, ErrorMessageString, name, Least, Most);
}
