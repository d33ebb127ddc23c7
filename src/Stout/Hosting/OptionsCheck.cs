using Microsoft.Extensions.Options;

namespace Stout.Hosting;

/// <summary>
/// Validates the options of one instance of Stout in the application. The error message names the option's full path in the configuration, and the
/// range.
/// </summary>
internal sealed class OptionsCheck<TOptions>(string name, Action<TOptions> validate) : IValidateOptions<TOptions>
    where TOptions : class
{
    public ValidateOptionsResult Validate(string? optionsName, TOptions options)
    {
        if (optionsName != name)
            return ValidateOptionsResult.Skip;
        try
        {
            validate(options);
            return ValidateOptionsResult.Success;
        }
        catch (InvalidOptionException error)
        {
            return ValidateOptionsResult.Fail(error.Message);
        }
    }
}
