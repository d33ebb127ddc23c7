using Orleans.Runtime;

namespace Stout.Orleans.Hosting;

/// <summary>Checks the options of one provider when the silo starts.</summary>
internal sealed class StoutGrainStorageOptionsValidator(string name, StoutGrainStorageOptions options) : IConfigurationValidator
{
    /// <inheritdoc/>
    public void ValidateConfiguration()
    {
        if (options.GrainStorageSerializer is null)
            throw Invalid(nameof(options.GrainStorageSerializer), "it is missing");
        if (!Enum.IsDefined(options.Ownership))
            throw Invalid(nameof(options.Ownership), $"it must be one of {string.Join(", ", Enum.GetNames<GrainOwnership>())}");
    }

    private OrleansConfigurationException Invalid(string option, string rule) =>
        new($"The option {option} of the Stout grain storage '{name}' is invalid: {rule}.");
}
