using System.ComponentModel.DataAnnotations;
using System.Globalization;

namespace Stout;

/// <summary>
/// The range of an option that is a <see cref="TimeSpan"/>, both ends included. <see cref="RangeAttribute"/> has such ranges too, but converts them by
/// reflection, which trimming may break.
/// </summary>
/// <param name="least">The least that is allowed, as <c>[d.]hh:mm:ss[.fffffff]</c>.</param>
/// <param name="most">The most that is allowed, in the same form.</param>
[AttributeUsage(AttributeTargets.Property)]
public sealed class TimeRangeAttribute(string least, string most) : ValidationAttribute("The field {0} must be between {1} and {2}.")
{
    /// <summary>The least that is allowed.</summary>
    public TimeSpan Least { get; } = TimeSpan.Parse(least, CultureInfo.InvariantCulture);

    /// <summary>The most that is allowed.</summary>
    public TimeSpan Most { get; } = TimeSpan.Parse(most, CultureInfo.InvariantCulture);

    /// <summary>Whether the value lies in the range. An option that is not set is left to <see cref="RequiredAttribute"/>.</summary>
    public override bool IsValid(object? value) => value is null || (value is TimeSpan time && time >= Least && time <= Most);

    /// <inheritdoc/>
    public override string FormatErrorMessage(string name) => string.Format(CultureInfo.InvariantCulture, ErrorMessageString, name, Least, Most);
}
