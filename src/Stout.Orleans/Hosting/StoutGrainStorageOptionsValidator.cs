using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Runtime;
using Orleans.Storage;
using Stout.Orleans.Diagnostics;

namespace Stout.Orleans.Hosting;

/// <summary>Checks the options of one provider when the silo starts.</summary>
internal sealed class StoutGrainStorageOptionsValidator(
    StoutStorageName storage,
    IEnumerable<StoutStorageName> names,
    IOptionsMonitor<StoutGrainStorageOptions> all,
    IServiceCollection services,
    IConfiguration? configuration,
    ILogger logger) : IConfigurationValidator
{
    private const int MostPrefixLength = 100;

    private readonly string _name = storage.Name;

    /// <inheritdoc/>
    public void ValidateConfiguration()
    {
        // Of several registrations, dependency injection takes the last one. A test host overrides a provider so.
        List<string> registered = [.. Registrations(_name).Select(SourceOf)];
        if (registered.Count > 1)
            logger.Overridden(_name, registered[^1], string.Join(", ", registered[..^1]));
        var options = all.Get(_name);
        if (options.GrainStorageSerializer is null)
            throw Invalid(nameof(options.GrainStorageSerializer), "it is missing");
        if (!Enum.IsDefined(options.Ownership))
            throw Invalid(nameof(options.Ownership), $"it must be one of {string.Join(", ", Enum.GetNames<GrainOwnership>())}");
        if (options.KeyPrefix is { } prefix && (prefix.Length is 0 or > MostPrefixLength || !IsKey(prefix)))
            throw Invalid(nameof(options.KeyPrefix), $"it must have 1 to {MostPrefixLength} characters, in valid UTF-16");
        if (storage.Client != _name && configuration?.GetSection($"Stout:{_name}").Exists() == true)
        {
            throw new OrleansConfigurationException(
                $"The section Stout:{_name} has no effect, since the grain storage '{_name}' shares the store of '{storage.Client}'. Use the section Stout:{storage.Client}.");
        }

        if (options.ImportFrom is { } from)
            CheckImport(from);
    }

    private static bool IsKey(string text)
    {
        try
        {
            return new PartitionKey(text).Text == text;
        }
        catch (InvalidKeyException)
        {
            return false;
        }
    }

    private void CheckImport(string from)
    {
        if (!Registrations(from).Any())
            throw Invalid(nameof(StoutGrainStorageOptions.ImportFrom), $"there is no grain storage '{from}'");
        var seen = new HashSet<string> { _name };
        for (var next = from; next is not null; next = all.Get(next).ImportFrom)
        {
            if (HasSameKeys(next))
                throw Invalid(nameof(StoutGrainStorageOptions.ImportFrom), $"the grain storage '{next}' has the same keys; set {nameof(StoutGrainStorageOptions.KeyPrefix)}");
            if (!seen.Add(next))
                throw Invalid(nameof(StoutGrainStorageOptions.ImportFrom), $"the grain storage '{next}' would import from itself");
        }
    }

    private bool HasSameKeys(string other) =>
        other != _name && names.Contains(new StoutStorageName(other, storage.Client)) && all.Get(other).KeyPrefix == all.Get(_name).KeyPrefix;

    private IEnumerable<ServiceDescriptor> Registrations(string provider) =>
        services.Where(service => service.IsKeyedService && service.ServiceType == typeof(IGrainStorage) && provider.Equals(service.ServiceKey));

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
        new($"The option {option} of the Stout grain storage '{_name}' is invalid: {rule}.");
}
