using System.Text.RegularExpressions;
using Microsoft.Extensions.Options;

namespace Stout;

/// <summary>An option breaks a rule, such as its range. Set it to an allowed value.</summary>
public sealed partial class InvalidOptionException : StoutException
{
    private const string Root = "options";

    /// <summary>Creates the exception. Its message contains no value, since an option may be a secret.</summary>
    /// <param name="option">The option's name, as in configuration.</param>
    /// <param name="allowed">The rule that the option breaks, such as "it must be 1 or more".</param>
    public InvalidOptionException(string option, string allowed)
        : base($"The option {option} is invalid: {allowed}.")
    {
        Option = option;
        Allowed = allowed;
    }

    /// <summary>
    /// The option's name as in configuration. Before it come the names of the sections that contain the option, as far as they are known, separated by
    /// ':'.
    /// </summary>
    public string Option { get; }

    /// <summary>The rule that the option breaks.</summary>
    public string Allowed { get; }

    /// <summary>Checks that an option lies in its range. NaN lies in no range.</summary>
    /// <param name="option">The option's name.</param>
    /// <param name="value">The option's value.</param>
    /// <param name="least">The smallest allowed value.</param>
    /// <param name="most">The largest allowed value.</param>
    /// <exception cref="InvalidOptionException">The value is out of the range.</exception>
    public static void ThrowUnlessBetween<T>(string option, T value, T least, T most)
        where T : IComparable<T>
    {
        ArgumentNullException.ThrowIfNull(value);
        if (value.CompareTo(least) < 0 || value.CompareTo(most) > 0)
            throw new InvalidOptionException(option, $"it must be between {least} and {most}");
    }

    /// <summary>Checks the minimum of an option.</summary>
    /// <param name="option">The option's name.</param>
    /// <param name="value">The option's value.</param>
    /// <param name="least">The smallest allowed value.</param>
    /// <exception cref="InvalidOptionException">The value is smaller.</exception>
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
    /// <exception cref="InvalidOptionException">An attribute rejects an option; the message names the first one.</exception>
    public static void ThrowIfInvalid<TOptions>(IValidateOptions<TOptions> validator, TOptions options)
        where TOptions : class
    {
        ArgumentNullException.ThrowIfNull(validator);
        if (validator.Validate(Root, options) is not { Failed: true } result)
            return;
        var text = result.Failures.First();
        if (Failure().Match(text) is { Success: true, Groups: var words })
            throw new InvalidOptionException(words["option"].Value.Replace('.', ':').Replace('[', ':').Replace("]", "", StringComparison.Ordinal), "it " + words["rule"].Value);
        // The attribute has a message of its own. The generated validator puts the property's name before that message.
        var end = text.IndexOf(':', StringComparison.Ordinal);
        throw new InvalidOptionException(end < 0 ? text : text[..end], text[(end + 1)..].Trim(' ', '.'));
    }

    /// <summary>Validates options inside a section, so that the error names an option together with its section.</summary>
    /// <param name="section">The section's name or path.</param>
    /// <param name="check">Throws this exception for an invalid option.</param>
    /// <exception cref="InvalidOptionException">The exception of <paramref name="check"/>, with the section before the option's name.</exception>
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

    // The messages of generated validators: "MaxKeys: The field options.MaxKeys must be between 1 and 9." and "Path: The options.Path field is required."
    [GeneratedRegex($@"The (field )?{Root}\.(?<option>[\w.[\]]+) (field )?(?<rule>.*?)\.?$")]
    private static partial Regex Failure();
}
