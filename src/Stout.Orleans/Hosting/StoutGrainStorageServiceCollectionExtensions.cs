using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Providers;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Storage;
using Stout;
using Stout.Hosting;
using Stout.Orleans;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.Facet;
using Stout.Orleans.HandOver;
using Stout.Orleans.Hosting;
using Stout.Orleans.Storage;

namespace Orleans.Hosting;

/// <summary>Adds grain storage on Stout to the services of a silo.</summary>
public static class StoutGrainStorageServiceCollectionExtensions
{
    private const string ByReflection = "Orleans and the options of Stout are bound by reflection.";

    /// <summary>Adds the default grain storage, on a Stout client named "Default".</summary>
    /// <inheritdoc cref="AddStoutGrainStorage(IServiceCollection, string, Action{StoutBuilder}, Action{OptionsBuilder{StoutGrainStorageOptions}})"/>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static IServiceCollection AddStoutGrainStorageAsDefault(
        this IServiceCollection services, Action<StoutBuilder> configureStout, Action<StoutGrainStorageOptions> configureOptions) =>
        services.AddStoutGrainStorage(ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME, configureStout, configureOptions);

    /// <summary>Adds the default grain storage, on a Stout client named "Default".</summary>
    /// <inheritdoc cref="AddStoutGrainStorage(IServiceCollection, string, Action{StoutBuilder}, Action{OptionsBuilder{StoutGrainStorageOptions}})"/>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static IServiceCollection AddStoutGrainStorageAsDefault(
        this IServiceCollection services, Action<StoutBuilder> configureStout, Action<OptionsBuilder<StoutGrainStorageOptions>>? configureOptions = null) =>
        services.AddStoutGrainStorage(ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME, configureStout, configureOptions);

    /// <inheritdoc cref="AddStoutGrainStorage(IServiceCollection, string, Action{StoutBuilder}, Action{OptionsBuilder{StoutGrainStorageOptions}})"/>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static IServiceCollection AddStoutGrainStorage(
        this IServiceCollection services, string name, Action<StoutBuilder> configureStout, Action<StoutGrainStorageOptions> configureOptions)
    {
        SynchronousFunction.Require(configureOptions, nameof(configureOptions));
        return services.AddStoutGrainStorage(name, configureStout, (OptionsBuilder<StoutGrainStorageOptions> options) => options.Configure(configureOptions));
    }

    /// <summary>
    /// Adds grain storage on a Stout client of the same name. The client's own options come from the configuration's section <c>Stout:</c><paramref
    /// name="name"/>.
    /// </summary>
    /// <remarks>
    /// If <see cref="StoutOptions.AnswerWithin"/> is not set, it becomes 0.8 of the silo's <see cref="MessagingOptions.ResponseTimeout"/>, so that callers
    /// get an error of Stout instead of Orleans' <see cref="TimeoutException"/>. A value that the application sets stays. A deactivation waits for its states at
    /// most for 0.8 of <see cref="GrainCollectionOptions.DeactivationTimeout"/>.
    /// </remarks>
    /// <param name="services">The silo's services.</param>
    /// <param name="name">The provider's name. The Stout client has the same name in configuration, metrics and logs.</param>
    /// <param name="configureStout">Chooses the store, for example <c>stout => stout.UseSqlite("grains.db")</c>.</param>
    /// <param name="configureOptions">Sets options of the provider.</param>
    /// <exception cref="InvalidOperationException">There is a Stout client of that name already.</exception>
    /// <exception cref="ArgumentException">A function is asynchronous.</exception>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static IServiceCollection AddStoutGrainStorage(
        this IServiceCollection services, string name, Action<StoutBuilder> configureStout, Action<OptionsBuilder<StoutGrainStorageOptions>>? configureOptions = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(configureStout);
        SynchronousFunction.Require(configureStout, nameof(configureStout));
        SynchronousFunction.Require(configureOptions, nameof(configureOptions));
        RequireNew(services, name);
        // All Stout clients of the silo share one application, which tells their keys apart by the handles.
        configureStout(services.AddStoutClient(name));
        // Without the limit, callers would get Orleans' own time-out before an error of Stout.
        services.AddOptions<StoutOptions>(name).PostConfigure<IOptions<SiloMessagingOptions>>(
            static (stout, messaging) => stout.AnswerWithin ??= AnswerTime.PartOf(messaging.Value.ResponseTimeout));
        return AddProvider(services, new StoutStorageName(name, name), configureOptions);
    }

    /// <summary>
    /// Adds grain storage on the Stout client of another provider. Both share its store, connections and batches. They have the same keys unless <see
    /// cref="StoutGrainStorageOptions.KeyPrefix"/> differs: then each state belongs to one of them, and its use through another one throws <see
    /// cref="GrainStateOfOtherProviderException"/>.
    /// </summary>
    /// <param name="services">The silo's services.</param>
    /// <param name="name">The provider's name, in metrics and logs too.</param>
    /// <param name="sharedWith">The name of a provider with a store of its own. It may be added later. Its settings of store, time limits and pacing apply.</param>
    /// <param name="configureOptions">Sets options of the provider.</param>
    /// <exception cref="InvalidOperationException">There is a Stout grain storage of that name already.</exception>
    /// <exception cref="ArgumentException">The function is asynchronous, or a provider would share its own store.</exception>
    public static IServiceCollection AddSharedStoutGrainStorage(
        this IServiceCollection services, string name, string sharedWith, Action<StoutGrainStorageOptions>? configureOptions = null)
    {
        SynchronousFunction.Require(configureOptions, nameof(configureOptions));
        return services.AddShared(name, sharedWith, options => options.Configure(configureOptions ?? (static _ => { })));
    }

    internal static IServiceCollection AddShared(
        this IServiceCollection services, string name, string sharedWith, Action<OptionsBuilder<StoutGrainStorageOptions>> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentException.ThrowIfNullOrEmpty(sharedWith);
        if (name == sharedWith)
            throw new ArgumentException($"The grain storage '{name}' can't share its own store.", nameof(sharedWith));
        RequireNew(services, name);
        return AddProvider(services, new StoutStorageName(name, sharedWith), configureOptions);
    }

    private static void RequireNew(IServiceCollection services, string name)
    {
        if (services.Any(service => !service.IsKeyedService && service.ImplementationInstance is StoutStorageName known && known.Name == name))
            throw new InvalidOperationException($"The Stout grain storage '{name}' has been added already; give each a name of its own.");
    }

    private static IServiceCollection AddProvider(
        IServiceCollection services, StoutStorageName storage, Action<OptionsBuilder<StoutGrainStorageOptions>>? configureOptions)
    {
        var name = storage.Name;
        configureOptions?.Invoke(services.AddOptions<StoutGrainStorageOptions>(name));
        services.AddTransient<IConfigurationValidator>(provider => new StoutGrainStorageOptionsValidator(
            storage,
            provider.GetServices<StoutStorageName>(),
            provider.GetRequiredService<IOptionsMonitor<StoutGrainStorageOptions>>(),
            services,
            provider.GetService<IConfiguration>(),
            provider.GetRequiredService<ILoggerFactory>().CreateLogger(StoutOrleansMeter.Name)));
        services.TryAddEnumerable(ServiceDescriptor.Transient<
            IPostConfigureOptions<StoutGrainStorageOptions>, DefaultStorageProviderSerializerOptionsConfigurator<StoutGrainStorageOptions>>());
        services.ConfigureNamedOptionForLogging<StoutGrainStorageOptions>(name);
        // Has Orleans send Stout's errors, which are inner exceptions of the errors of grain storage.
        services.PostConfigure<ExceptionSerializationOptions>(static options =>
        {
            options.SupportedNamespacePrefixes.Add(nameof(Stout));
            var others = options.SupportedExceptionTypeFilter;
            options.SupportedExceptionTypeFilter = type => CarriedExceptions.Contains(type) || others(type);
        });
        services.AddSingleton(storage);
        services.TryAddSingleton<KeySpaces>();
        services.TryAddEnumerable(ServiceDescriptor.Transient<IConfigurationValidator, SharedStatesValidator>());
        services.TryAddSingleton<StatelessWorkers>();
        services.TryAddSingleton<StatefulClasses>();
        services.TryAddSingleton(new HandOverFormat(HandOverFormat.Current));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IConfigureGrainContextProvider, StateConfigurator>());
        services.TryAddSingleton<IAttributeToFactoryMapper<StoutStateAttribute>, StoutStateAttributeMapper>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IIncomingGrainCallFilter, SafeReplyFilter>());
        services.AddKeyedSingleton<IGrainStorage>(name, (provider, _) => StoutGrainStorageFactory.Create(provider, name, storage.Client));
        if (name == ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME)
            services.TryAddSingleton(static provider => provider.GetRequiredKeyedService<IGrainStorage>(ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME));
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(provider => new StorageInUse(provider.GetRequiredKeyedService<IGrainStorage>(name)));
        return services;
    }
}
