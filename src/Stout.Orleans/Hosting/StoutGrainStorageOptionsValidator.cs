using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Runtime;
using Orleans.Storage;

namespace Stout.Orleans.Hosting;

/// <summary>Checks the options of one provider when the silo starts.</summary>
internal sealed class StoutGrainStorageOptionsValidator(string name, IOptionsMonitor<StoutGrainStorageOptions> all, IServiceCollection services)
    : IConfigurationValidator
{
    public static OrleansConfigurationException NameTakenTwice(string name) => new(
        $"There are several grain storages of the name '{name}', one of them on Stout. Give each a name of its own; {nameof(StoutGrainStorageOptions.ImportFrom)} names the former one.");

    /// <inheritdoc/>
    public void ValidateConfiguration()
    {
        if (CountOf(name) > 1)
            throw NameTakenTwice(name);
        var options = all.Get(name);
        if (options.GrainStorageSerializer is null)
            throw Invalid(nameof(options.GrainStorageSerializer), "it is missing");
        if (!Enum.IsDefined(options.Ownership))
            throw Invalid(nameof(options.Ownership), $"it must be one of {string.Join(", ", Enum.GetNames<GrainOwnership>())}");
        if (options.ImportFrom is { } from)
            CheckImport(from);
    }

    private void CheckImport(string from)
    {
        if (CountOf(from) == 0)
            throw Invalid(nameof(StoutGrainStorageOptions.ImportFrom), $"there is no grain storage '{from}'");
        var seen = new HashSet<string> { name };
        for (var next = from; next is not null; next = all.Get(next).ImportFrom)
        {
            if (!seen.Add(next))
                throw Invalid(nameof(StoutGrainStorageOptions.ImportFrom), $"the grain storage '{next}' would import from itself");
        }
    }

    private int CountOf(string storage) =>
        services.Count(service => service.IsKeyedService && service.ServiceType == typeof(IGrainStorage) && storage.Equals(service.ServiceKey));

    private OrleansConfigurationException Invalid(string option, string rule) =>
        new($"The option {option} of the Stout grain storage '{name}' is invalid: {rule}.");
}
