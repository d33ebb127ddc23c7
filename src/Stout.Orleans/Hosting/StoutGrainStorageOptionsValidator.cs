using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Runtime;
using Orleans.Storage;
using Stout.Orleans.Diagnostics;

namespace Stout.Orleans.Hosting;

/// <summary>Checks the options of one provider when the silo starts.</summary>
internal sealed class StoutGrainStorageOptionsValidator(
    string name, IOptionsMonitor<StoutGrainStorageOptions> all, IServiceCollection services, ILogger logger) : IConfigurationValidator
{
    /// <inheritdoc/>
    public void ValidateConfiguration()
    {
        // Of several registrations, dependency injection takes the last one. A test host overrides a provider so.
        List<string> registered = [.. Registrations(name).Select(SourceOf)];
        if (registered.Count > 1)
            logger.Overridden(name, registered[^1], string.Join(", ", registered[..^1]));
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
        if (!Registrations(from).Any())
            throw Invalid(nameof(StoutGrainStorageOptions.ImportFrom), $"there is no grain storage '{from}'");
        var seen = new HashSet<string> { name };
        for (var next = from; next is not null; next = all.Get(next).ImportFrom)
        {
            if (!seen.Add(next))
                throw Invalid(nameof(StoutGrainStorageOptions.ImportFrom), $"the grain storage '{next}' would import from itself");
        }
    }

    private IEnumerable<ServiceDescriptor> Registrations(string storage) =>
        services.Where(service => service.IsKeyedService && service.ServiceType == typeof(IGrainStorage) && storage.Equals(service.ServiceKey));

    /// <summary>The type of a registered storage, or the type that makes it.</summary>
    private static string SourceOf(ServiceDescriptor service)
    {
        var type = service.KeyedImplementationType ?? service.KeyedImplementationInstance?.GetType() ?? service.KeyedImplementationFactory!.Method.DeclaringType;
        // Orleans makes its storages by closures of generic methods, whose type argument is the storage.
        if (Array.Find(type?.GetGenericArguments() ?? [], typeof(IGrainStorage).IsAssignableFrom) is { } made)
            return made.FullName!;
        while (type?.DeclaringType is { } outer)
            type = outer;
        return type?.FullName ?? service.ToString();
    }

    private OrleansConfigurationException Invalid(string option, string rule) =>
        new($"The option {option} of the Stout grain storage '{name}' is invalid: {rule}.");
}
