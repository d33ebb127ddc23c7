using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Options;
using Stout.Hosting;
using Stout.Orleans;

namespace Orleans.Hosting;

/// <summary>Adds grain storage on Stout to a silo.</summary>
public static class StoutGrainStorageSiloBuilderExtensions
{
    private const string ByReflection = "Orleans and the options of Stout are bound by reflection.";

    /// <inheritdoc cref="StoutGrainStorageServiceCollectionExtensions.AddStoutGrainStorageAsDefault(Microsoft.Extensions.DependencyInjection.IServiceCollection, Action{StoutBuilder}, Action{OptionsBuilder{StoutGrainStorageOptions}})"/>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static ISiloBuilder AddStoutGrainStorageAsDefault(
        this ISiloBuilder builder, Action<StoutBuilder> configureStout, Action<StoutGrainStorageOptions> configureOptions) =>
        builder.ConfigureServices(services => services.AddStoutGrainStorageAsDefault(configureStout, configureOptions));

    /// <inheritdoc cref="StoutGrainStorageServiceCollectionExtensions.AddStoutGrainStorageAsDefault(Microsoft.Extensions.DependencyInjection.IServiceCollection, Action{StoutBuilder}, Action{OptionsBuilder{StoutGrainStorageOptions}})"/>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static ISiloBuilder AddStoutGrainStorageAsDefault(
        this ISiloBuilder builder, Action<StoutBuilder> configureStout, Action<OptionsBuilder<StoutGrainStorageOptions>>? configureOptions = null) =>
        builder.ConfigureServices(services => services.AddStoutGrainStorageAsDefault(configureStout, configureOptions));

    /// <inheritdoc cref="StoutGrainStorageServiceCollectionExtensions.AddStoutGrainStorage(Microsoft.Extensions.DependencyInjection.IServiceCollection, string, Action{StoutBuilder}, Action{OptionsBuilder{StoutGrainStorageOptions}})"/>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static ISiloBuilder AddStoutGrainStorage(
        this ISiloBuilder builder, string name, Action<StoutBuilder> configureStout, Action<StoutGrainStorageOptions> configureOptions) =>
        builder.ConfigureServices(services => services.AddStoutGrainStorage(name, configureStout, configureOptions));

    /// <inheritdoc cref="StoutGrainStorageServiceCollectionExtensions.AddStoutGrainStorage(Microsoft.Extensions.DependencyInjection.IServiceCollection, string, Action{StoutBuilder}, Action{OptionsBuilder{StoutGrainStorageOptions}})"/>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static ISiloBuilder AddStoutGrainStorage(
        this ISiloBuilder builder, string name, Action<StoutBuilder> configureStout, Action<OptionsBuilder<StoutGrainStorageOptions>>? configureOptions = null) =>
        builder.ConfigureServices(services => services.AddStoutGrainStorage(name, configureStout, configureOptions));

    /// <inheritdoc cref="StoutGrainStorageServiceCollectionExtensions.AddSharedStoutGrainStorage(Microsoft.Extensions.DependencyInjection.IServiceCollection, string, string, Action{StoutGrainStorageOptions})"/>
    public static ISiloBuilder AddSharedStoutGrainStorage(
        this ISiloBuilder builder, string name, string sharedWith, Action<StoutGrainStorageOptions>? configureOptions = null) =>
        builder.ConfigureServices(services => services.AddSharedStoutGrainStorage(name, sharedWith, configureOptions));
}
