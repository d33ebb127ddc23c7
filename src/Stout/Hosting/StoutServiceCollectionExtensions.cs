using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Stout;
using Stout.Documents;
using Stout.Hosting;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds Stouts to an application.</summary>
public static class StoutServiceCollectionExtensions
{
    private const string DocumentsSection = "Documents";

    /// <summary>
    /// Adds a Stout with the typed layer: a <see cref="DocumentStore"/>, opened before any hosted service starts and drained after all
    /// have stopped. Its options come from the configuration's section <c>Stout</c>. Choose a store with one of the builder's Use methods.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="configure">Sets options in code; it has the last word.</param>
    /// <exception cref="InvalidOperationException">There is one without a name already.</exception>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    public static StoutBuilder AddStout(this IServiceCollection services, Action<DocumentStoreOptions>? configure = null) =>
        services.AddStout(StoutBuilder.DefaultName, configure);

    /// <summary>
    /// Adds one of several Stouts, by name: a keyed <see cref="DocumentStore"/>. Its options come from the section <c>Stout:</c><paramref name="name"/>.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="name">Its name, in configuration, metrics and logs, and its key as a service.</param>
    /// <param name="configure">Sets options in code; it has the last word.</param>
    /// <exception cref="InvalidOperationException">There is one of that name already.</exception>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    public static StoutBuilder AddStout(this IServiceCollection services, string name, Action<DocumentStoreOptions>? configure = null)
    {
        var builder = new StoutBuilder(services, name);
        builder.IgnoreSettings(DocumentsSection);
        services.AddOptions<DocumentStoreOptions>(name).Configure<IServiceProvider>(static (options, provider) =>
        {
            if (provider.GetService<IHostEnvironment>()?.IsDevelopment() == true)
                options.RoundTripCheck = RoundTripCheck.OncePerShape;
        });
        builder.AddOptions(
            (services, configuration, options) =>
            {
                builder.Bind(services, configuration, "", options.Stout);
                builder.Bind(services, configuration, DocumentsSection, options);
            },
            configure,
            options =>
            {
                InvalidOptionException.Under(builder.Section, options.Stout.Validate);
                InvalidOptionException.Under($"{builder.Section}:{DocumentsSection}", options.ValidateCache);
            });
        return Add(builder, static (services, builder) => StoutInstance.OfDocuments(services, builder), static instance => instance.Documents!);
    }

    /// <summary>
    /// Adds a Stout with the base layer alone: a <see cref="StoutClient"/> that calls <typeparamref name="TApplication"/> back.
    /// Otherwise as <see cref="AddStout(IServiceCollection, Action{DocumentStoreOptions})"/>.
    /// </summary>
    /// <typeparam name="TApplication">The application's callbacks; added as a singleton unless it is registered.</typeparam>
    /// <param name="services">The services.</param>
    /// <param name="name">Its name; the empty string, the default, for the one without.</param>
    /// <param name="configure">Sets options in code; it has the last word.</param>
    /// <exception cref="InvalidOperationException">There is one of that name already.</exception>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    public static StoutBuilder AddStoutClient<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TApplication>(this IServiceCollection services, string name = "", Action<StoutOptions>? configure = null)
        where TApplication : class, IStoutApplication
    {
        var builder = new StoutBuilder(services, name);
        services.TryAddSingleton<TApplication>();
        builder.AddOptions("", configure, static options => options.Validate());
        return Add(
            builder,
            static (services, builder) => StoutInstance.OfApplication(services, builder, services.GetRequiredService<TApplication>()),
            static instance => instance.Client);
    }

    private static StoutBuilder Add<TService>(
        StoutBuilder builder, Func<IServiceProvider, StoutBuilder, StoutInstance> create, Func<StoutInstance, TService> service)
        where TService : class
    {
        var (services, name) = (builder.Services, builder.Name);
        if (services.Any(known => known.IsKeyedService && known.ServiceType == typeof(StoutInstance) && Equals(known.ServiceKey, name)))
            throw new InvalidOperationException($"{builder.Title} has been added already; give each a name of its own.");
        services.AddKeyedSingleton(name, (provider, _) => create(provider, builder));
        services.AddKeyedSingleton(name, (provider, _) => service(provider.GetRequiredKeyedService<StoutInstance>(name)));
        if (name.Length == 0)
            services.AddSingleton(provider => provider.GetRequiredKeyedService<TService>(name));
        services.AddSingleton<IHostedService>(provider => new StoutHostedService(provider, name));
        return builder;
    }
}
