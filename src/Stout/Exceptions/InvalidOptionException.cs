using System.Text.RegularExpressions;
using Microsoft.Extensions.Options;

namespace Stout;

/// <summary>An option breaks a rule, such as its range. Set it to an allowed value.</summary>
public sealed partial class InvalidOptionException : StoutException
{
    private const string Root = "options";

    /// <summary>Names the option and its allowed values. The message holds no value: an option may be a secret.</summary>
    /// <param name="option">The option's name, as in configuration.</param>
    /// <param name="allowed">The rule that the option breaks, such as "it must be 1 or more".</param>
    public InvalidOptionException(string option, string allowed)
        : base($"The option {option} is invalid: {allowed}.")
    {
        Option = option;
        Allowed = allowed;
    }

    /// <summary>The option's name, as in configuration: with the sections that it stands in, as far as they are known, and ':' between.</summary>
    public string Option { get; }

    /// <summary>The rule that the option breaks.</summary>
    public string Allowed { get; }

    /// <summary>Checks that an option lies in its range. NaN lies in no range.</summary>
    /// <param name="option">The option's name.</param>
    /// <param name="value">What it is set to.</param>
    /// <param name="least">The least that is allowed.</param>
    /// <param name="most">The most that is allowed.</param>
    /// <exception cref="InvalidOptionException">It does not.</exception>
    public static void ThrowUnlessBetween<T>(string option, T value, T least, T most)
        where T : IComparable<T>
    {
        ArgumentNullException.ThrowIfNull(value);
        if (value.CompareTo(least) < 0 || value.CompareTo(most) > 0)
            throw new InvalidOptionException(option, $"it must be between {least} and {most}");
    }

    /// <summary>Checks that an option is not too small.</summary>
    /// <param name="option">The option's name.</param>
    /// <param name="value">What it is set to.</param>
    /// <param name="least">The least that is allowed.</param>
    /// <exception cref="InvalidOptionException">It is smaller.</exception>
    public static void ThrowUnlessAtLeast<T>(string option, T value, T least)
        where T : IComparable<T>
    {
        ArgumentNullException.ThrowIfNull(value);
        if (value.CompareTo(least) < 0)
            throw new InvalidOptionException(option, $"it must be {least} or more");
    }

    /// <summary>Checks options by their attributes, such as <see cref="System.ComponentModel.DataAnnotations.RangeAttribute"/>.</summary>
    /// <param name="validator">A validator that the attribute <see cref="OptionsValidatorAttribute"/> generates.</param>
    /// <param name="options">The options.</param>
    /// <exception cref="InvalidOptionException">An attribute refuses an option; the first such option is named.</exception>
    public static void ThrowIfInvalid<TOptions>(IValidateOptions<TOptions> validator, TOptions options)
        where TOptions : class
    {
        ArgumentNullException.ThrowIfNull(validator);
        if (validator.Validate(Root, options) is not { Failed: true } result)
            return;
        var text = result.Failures.First();
        if (Failure().Match(text) is { Success: true, Groups: var words })
            throw new InvalidOptionException(words["option"].Value.Replace('.', ':').Replace('[', ':').Replace("]", "", StringComparison.Ordinal), "it " + words["rule"].Value);
        // An attribute with a message of its own: the generated validator puts the property's name before it.
        var end = text.IndexOf(':', StringComparison.Ordinal);
        throw new InvalidOptionException(end < 0 ? text : text[..end], text[(end + 1)..].Trim(' ', '.'));
    }

    /// <summary>Checks options that stand in a section, so that the error names their full path.</summary>
    /// <param name="section">The section's name or path.</param>
    /// <param name="check">Throws this exception for an option that is out of its range.</param>
    /// <exception cref="InvalidOptionException">What <paramref name="check"/> has thrown, with the section before the option's name.</exception>
    public static void Under(string section, Action check)
    {
        ArgumentNullException.ThrowIfNull(check);
        try
        {
            check();
        }
        catch (InvalidOptionException error)
        {
            throw new InvalidOptionException($"{section}:{error.Option}", error.Allowed);
        }
    }

    // As generated validators word it: "MaxKeys: The field options.MaxKeys must be between 1 and 9." and "Path: The options.Path field is required."
    [GeneratedRegex($@"The (field )?{Root}\.(?<option>[\w.[\]]+) (field )?(?<rule>.*?)\.?$")]
    private static partial Regex Failure();
}
