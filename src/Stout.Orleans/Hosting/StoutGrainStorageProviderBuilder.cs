using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Hosting;
using Orleans.Providers;
using Orleans.Runtime;
using Orleans.Storage;
using Stout.Hosting;
using Stout.Orleans.Hosting;

[assembly: RegisterProvider("Stout", "GrainStorage", "Silo", typeof(StoutGrainStorageProviderBuilder))]

namespace Stout.Orleans.Hosting;

/// <summary>
/// Adds the providers that the configuration's section <c>Orleans:GrainStorage</c> names. The setting <c>Store</c> of a provider chooses its store. The
/// store's own options are in the section <c>Stout:</c> followed by the provider's name. They override the connection string that a provider names.
/// </summary>
internal sealed class StoutGrainStorageProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    private const string ProviderType = "ProviderType";
    private const string Store = "Store";
    private const string SharedWith = "SharedWith";
    private const string SerializerKey = "SerializerKey";
    private const string ConnectionString = "ConnectionString";

    // Orleans' own providers read the first name. Aspire writes the second one: the name of the resource, under which its connection string stands.
    private static readonly string[] ConnectionNames = ["ConnectionName", "ServiceKey"];
    private const string InMemory = "InMemory";
    private static readonly string[] Stores = ["Sqlite", "PostgreSql", "SqlServer", "AzureTables", "Cosmos"];

    private static readonly string[] Settings =
    [
        ProviderType,
        Store,
        SharedWith,
        SerializerKey,
        ConnectionString,
        .. ConnectionNames,
        nameof(StoutGrainStorageOptions.DeleteStateOnClear),
        nameof(StoutGrainStorageOptions.Ownership),
        nameof(StoutGrainStorageOptions.ImportFrom),
        nameof(StoutGrainStorageOptions.FenceImported),
        nameof(StoutGrainStorageOptions.KeyPrefix),
    ];

    /// <inheritdoc/>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Orleans makes this class by reflection itself.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Orleans makes this class by reflection itself.")]
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        foreach (var setting in configurationSection.GetChildren())
        {
            if (!Settings.Contains(setting.Key, StringComparer.OrdinalIgnoreCase))
                throw new OrleansConfigurationException($"The setting {setting.Path} is unknown. Options of the store stand in the section Stout:{name}.");
        }

        var provider = name ?? ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME;
        if (configurationSection[SharedWith] is { } sharedWith)
        {
            if (Array.Find<string>([Store, ConnectionString, .. ConnectionNames], setting => configurationSection[setting] is not null) is { } unused)
                throw new OrleansConfigurationException($"The setting {configurationSection.Path}:{unused} has no effect beside {SharedWith}.");
            builder.Services.AddShared(provider, sharedWith, Configure);
            return;
        }

        builder.AddStoutGrainStorage(
            provider,
            stout => UseStore(stout, configurationSection.GetSection(Store), ConnectionOf(configurationSection, builder.Configuration)),
            Configure);

        void Configure(OptionsBuilder<StoutGrainStorageOptions> builder) => builder.Configure<IServiceProvider>((options, services) =>
        {
            Set(configurationSection, nameof(options.DeleteStateOnClear), "true or false", bool.TryParse, (bool value) => options.DeleteStateOnClear = value);
            Set(
                configurationSection,
                nameof(options.Ownership),
                string.Join(" or ", Enum.GetNames<GrainOwnership>()),
                (string? text, out GrainOwnership value) => Enum.TryParse(text, ignoreCase: true, out value),
                (GrainOwnership value) => options.Ownership = value);
            Set(configurationSection, nameof(options.FenceImported), "true or false", bool.TryParse, (bool value) => options.FenceImported = value);
            options.ImportFrom = configurationSection[nameof(options.ImportFrom)];
            options.KeyPrefix = configurationSection[nameof(options.KeyPrefix)];
            if (configurationSection[SerializerKey] is { Length: > 0 } key)
                options.GrainStorageSerializer = services.GetRequiredKeyedService<IGrainStorageSerializer>(key);
        });
    }

    private delegate bool TryParse<T>(string? text, out T value);

    private static void Set<T>(IConfigurationSection section, string option, string rule, TryParse<T> parse, Action<T> set)
    {
        if (section[option] is not { } text)
            return;
        if (!parse(text, out var value))
            throw new OrleansConfigurationException($"The setting {section.Path}:{option} is invalid: it must be {rule}.");
        set(value);
    }

    /// <summary>The connection string that a provider's settings contain or name; null if they do not.</summary>
    private static string? ConnectionOf(IConfigurationSection section, IConfiguration root)
    {
        if (section[ConnectionString] is { Length: > 0 } text)
            return text;
        foreach (var setting in ConnectionNames)
        {
            if (section[setting] is { Length: > 0 } name)
            {
                return root.GetConnectionString(name) is { Length: > 0 } found
                    ? found
                    : throw new OrleansConfigurationException(
                        $"The setting {section.Path}:{setting} names the connection string '{name}', but the setting ConnectionStrings:{name} is missing.");
            }
        }

        return null;
    }

    /// <summary>Calls the <c>Use</c> method of the store's package by reflection, since this package does not depend on the stores' packages.</summary>
    private static void UseStore(StoutBuilder stout, IConfigurationSection setting, string? connection)
    {
        if (string.Equals(setting.Value, InMemory, StringComparison.OrdinalIgnoreCase))
        {
            stout.UseInMemory();
            return;
        }

        var store = Array.Find(Stores, store => store.Equals(setting.Value, StringComparison.OrdinalIgnoreCase))
            ?? throw new OrleansConfigurationException($"The setting {setting.Path} is invalid: it must be one of {InMemory}, {string.Join(", ", Stores)}.");
        var method = Type.GetType($"Microsoft.Extensions.DependencyInjection.{store}StoutBuilderExtensions, Stout.{store}")?
            .GetMethods(BindingFlags.Public | BindingFlags.Static)
            .SingleOrDefault(method => method.Name == "Use" + store && IsMatch(method.GetParameters(), connection))
            ?? throw new OrleansConfigurationException($"The setting {setting.Path} names a store whose package is missing: add Stout.{store} to the application.");
        method.Invoke(null, [stout, connection]);
    }

    private static bool IsMatch(ParameterInfo[] parameters, string? connection) =>
        parameters is [_, var last] && (connection is null ? last.IsOptional : last.ParameterType == typeof(string));
}
