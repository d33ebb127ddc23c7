using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Stout;
using Stout.Documents;
using Stout.Hosting;
using Stout.Storage;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds Stout to an application.</summary>
public static class StoutServiceCollectionExtensions
{
    private const string DocumentsSection = "Documents";

    /// <summary>
    /// Adds a Stout with the typed layer: a <see cref="DocumentStore"/>, opened before any hosted service starts and drained after all have stopped.
    /// Its options come from the configuration section <c>Stout</c>. Select a store with a Use method of the builder.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="configure">Changes the options in code, after configuration.</param>
    /// <exception cref="InvalidOperationException">An unnamed Stout has been added before.</exception>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    public static StoutBuilder AddStout(this IServiceCollection services, Action<DocumentStoreOptions>? configure = null) =>
        services.AddStout(StoutBuilder.DefaultName, configure);

    /// <summary>
    /// Adds a named Stout: a keyed <see cref="DocumentStore"/>. Its options come from the section <c>Stout:</c><paramref name="name"/>.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="name">The name in configuration, metrics and logs, and the service key.</param>
    /// <param name="configure">Changes the options in code, after configuration.</param>
    /// <exception cref="InvalidOperationException">A Stout of that name has been added before.</exception>
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
    /// Adds a Stout with only the base layer: a <see cref="StoutClient"/> that takes and returns bytes. Otherwise as <see
    /// cref="AddStout(IServiceCollection, Action{DocumentStoreOptions})"/>.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="name">The name; empty by default, for the unnamed one.</param>
    /// <param name="configure">Changes the options in code, after configuration.</param>
    /// <exception cref="InvalidOperationException">A Stout of that name has been added before.</exception>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    public static StoutBuilder AddStoutClient(this IServiceCollection services, string name = "", Action<StoutOptions>? configure = null) =>
        AddClient(services, name, configure, static _ => null);

    /// <summary>
    /// Adds a Stout with only the base layer: a <see cref="StoutClient"/> that calls <typeparamref name="TApplication"/>. Otherwise as <see
    /// cref="AddStout(IServiceCollection, Action{DocumentStoreOptions})"/>.
    /// </summary>
    /// <typeparam name="TApplication">The application's callbacks; registered as a singleton unless registered before.</typeparam>
    /// <param name="services">The services.</param>
    /// <param name="name">The name; empty by default, for the unnamed one.</param>
    /// <param name="configure">Changes the options in code, after configuration.</param>
    /// <exception cref="InvalidOperationException">A Stout of that name has been added before.</exception>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    public static StoutBuilder AddStoutClient<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TApplication>(this IServiceCollection services, string name = "", Action<StoutOptions>? configure = null)
        where TApplication : class, IStoutApplication
    {
        services.TryAddSingleton<TApplication>();
        return AddClient(services, name, configure, static services => services.GetRequiredService<TApplication>());
    }

    /// <summary>
    /// Replaces the store of a Stout that the application has added, for instance in a test's <c>ConfigureTestServices</c>. The options of the replaced store
    /// are not validated.
    /// </summary>
    /// <param name="services">The services, to which a Stout of that name was added.</param>
    /// <param name="create">Creates a proxy that is not open; the Stout opens and disposes the proxy. Of several calls, the last one counts.</param>
    /// <param name="name">The Stout's name; empty by default, for the unnamed one.</param>
    /// <exception cref="InvalidOperationException">No Stout of that name was added before.</exception>
    public static IServiceCollection ReplaceStoutStore(this IServiceCollection services, Func<IServiceProvider, IStorageProxy> create, string name = "")
    {
        ArgumentNullException.ThrowIfNull(create);
        var builder = new StoutBuilder(services, name);
        if (!HasInstance(services, name))
            throw new InvalidOperationException($"{builder.Title} has not been added, so its store can't be replaced.");
        return builder.ReplaceStore(create).Services;
    }

    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    private static StoutBuilder AddClient(
        IServiceCollection services, string name, Action<StoutOptions>? configure, Func<IServiceProvider, IStoutApplication?> application)
    {
        var builder = new StoutBuilder(services, name);
        builder.AddOptions("", configure, static options => options.Validate(), areOfStore: false);
        return Add(builder, (services, builder) => StoutInstance.OfClient(services, builder, application(services)), static instance => instance.Client);
    }

    private static bool HasInstance(IServiceCollection services, string name) =>
        services.Any(known => known.IsKeyedService && known.ServiceType == typeof(StoutInstance) && Equals(known.ServiceKey, name));

    private static StoutBuilder Add<TService>(
        StoutBuilder builder, Func<IServiceProvider, StoutBuilder, StoutInstance> create, Func<StoutInstance, TService> service)
        where TService : class
    {
        var (services, name) = (builder.Services, builder.Name);
        if (HasInstance(services, name))
            throw new InvalidOperationException($"{builder.Title} has been added already; give each a name of its own.");
        services.AddKeyedSingleton(name, (provider, _) => create(provider, builder));
        services.AddKeyedSingleton(name, (provider, _) => service(provider.GetRequiredKeyedService<StoutInstance>(name)));
        if (name.Length == 0)
            services.AddSingleton(provider => provider.GetRequiredKeyedService<TService>(name));
        services.AddSingleton<IHostedService>(provider => new StoutHostedService(provider, name));
        return builder;
    }
}
