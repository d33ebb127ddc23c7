using System.Diagnostics.CodeAnalysis;
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
        // All Stout clients of the silo share one application, which tells their keys apart by the handles.
        configureStout(services.AddStoutClient(name));
        // Without the limit, callers would get Orleans' own time-out before an error of Stout.
        services.AddOptions<StoutOptions>(name).PostConfigure<IOptions<SiloMessagingOptions>>(
            static (stout, messaging) => stout.AnswerWithin ??= AnswerTime.PartOf(messaging.Value.ResponseTimeout));
        configureOptions?.Invoke(services.AddOptions<StoutGrainStorageOptions>(name));
        services.AddTransient<IConfigurationValidator>(provider => new StoutGrainStorageOptionsValidator(
            name,
            provider.GetRequiredService<IOptionsMonitor<StoutGrainStorageOptions>>(),
            services,
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
        services.AddSingleton(new StoutStorageName(name));
        services.TryAddSingleton<StatelessWorkers>();
        services.TryAddSingleton<StatefulClasses>();
        services.TryAddSingleton(new HandOverFormat(HandOverFormat.Current));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IConfigureGrainContextProvider, StateConfigurator>());
        services.TryAddSingleton<IAttributeToFactoryMapper<StoutStateAttribute>, StoutStateAttributeMapper>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IIncomingGrainCallFilter, SafeReplyFilter>());
        services.AddKeyedSingleton<IGrainStorage>(name, (provider, _) => StoutGrainStorageFactory.Create(provider, name));
        if (name == ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME)
            services.TryAddSingleton(static provider => provider.GetRequiredKeyedService<IGrainStorage>(ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME));
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(provider => new StorageInUse(provider.GetRequiredKeyedService<IGrainStorage>(name)));
        return services;
    }
}
