using Microsoft.Extensions.Options;
using Orleans.Runtime;

namespace Stout.Orleans.Hosting;

/// <summary>Checks the options of the hand-over when the silo starts.</summary>
internal sealed class StoutHandOverOptionsValidator(IOptions<StoutHandOverOptions> options) : IConfigurationValidator
{
    /// <inheritdoc/>
    public void ValidateConfiguration()
    {
        if (options.Value.TimeShare is not (> 0 and < 1))
            throw Invalid(nameof(StoutHandOverOptions.TimeShare), "it must be above 0 and below 1");
        if (!Enum.IsDefined(options.Value.Grains))
            throw Invalid(nameof(StoutHandOverOptions.Grains), $"it must be one of {string.Join(", ", Enum.GetNames<HandOverGrains>())}");
    }

    private static OrleansConfigurationException Invalid(string option, string rule) => new($"The option {option} of the Stout hand-over is invalid: {rule}.");
}
