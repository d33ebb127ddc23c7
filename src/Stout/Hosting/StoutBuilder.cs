using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Stout.Documents;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Hosting;

/// <summary>
/// Configures one Stout of an application: an instance of the library with its own store and options. The stores' packages add Use methods to this
/// class, such as UseSqlite.
/// </summary>
public sealed class StoutBuilder
{
    /// <summary>The name that stands for an unnamed Stout.</summary>
    internal const string DefaultName = "";

    /// <summary>The reason why calls that bind options are marked as unsafe for trimming and native AOT.</summary>
    internal const string ByReflection =
        "Options are bound from the configuration by reflection. Programs that are trimmed or compiled ahead of time open a DocumentStore or a StoutClient themselves.";

    /// <summary>A setting that applications may use to select a store. This library ignores it.</summary>
    private const string StoreSetting = "Store";

    /// <summary>The service keys of the collections of each type.</summary>
    private readonly Dictionary<Type, List<string>> _collections = [];

    internal StoutBuilder(IServiceCollection services, string name)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(name);
        Services = services;
        Name = name;
        Know("");
        Know(StoreSetting);
    }

    /// <summary>The application's services.</summary>
    public IServiceCollection Services { get; }

    /// <summary>The Stout's name, used as service key and options name; empty for the unnamed one.</summary>
    public string Name { get; }

    /// <summary>The Stout's configuration section: <c>Stout</c>, or <c>Stout:name</c>.</summary>
    public string Section => Name.Length == 0 ? "Stout" : "Stout:" + Name;

    internal string Title => Name.Length == 0 ? "A Stout without a name" : $"The Stout '{Name}'";

    private Func<IServiceProvider, IStorageProxy>? CreateStore { get; set; }

    private List<Func<IServiceProvider, IStorageProxy, IStorageProxy>> Wrappings { get; } = [];

    private bool IsStoreReplaced => Services.Any(service => service.ServiceType == typeof(StoreReplacement) && Equals(service.ServiceKey, Name));

    /// <summary>Uses a custom store.</summary>
    /// <param name="create">Creates a proxy that is not open; the Stout opens and disposes the proxy. The function is called again for each attempt to open a
    /// store that is down (<see cref="StoutOptions.WaitAtStart"/>).</param>
    /// <exception cref="InvalidOperationException">This Stout has a store already.</exception>
    public StoutBuilder UseStore(Func<IServiceProvider, IStorageProxy> create)
    {
        ArgumentNullException.ThrowIfNull(create);
        if (CreateStore is not null)
            throw new InvalidOperationException($"{Title} has a store already. {nameof(ReplaceStore)} replaces it.");
        CreateStore = create;
        return this;
    }

    /// <summary>
    /// Uses a store with options of its own. They are read from a configuration section, then changed by code, and validated when the host starts. An unknown
    /// setting of the section is an error.
    /// </summary>
    /// <typeparam name="TOptions">The options type.</typeparam>
    /// <param name="section">The options' section within <see cref="Section"/>.</param>
    /// <param name="configure">Changes the options in code, after configuration; null to change nothing.</param>
    /// <param name="validate">Throws <see cref="InvalidOptionException"/> for an invalid option.</param>
    /// <param name="create">Creates a proxy that is not open, as in <see cref="UseStore(Func{IServiceProvider, IStorageProxy})"/>.</param>
    /// <exception cref="ArgumentException">The function that changes the options is asynchronous.</exception>
    /// <exception cref="InvalidOperationException">This Stout has a store already.</exception>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public StoutBuilder UseStore<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor | DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(
        string section, Action<TOptions>? configure, Action<TOptions> validate, Func<IServiceProvider, TOptions, IStorageProxy> create)
        where TOptions : class
    {
        ArgumentException.ThrowIfNullOrEmpty(section);
        ArgumentNullException.ThrowIfNull(create);
        return AddOptions(section, configure, validate, areOfStore: true)
            .UseStore(services => create(services, services.GetRequiredService<IOptionsMonitor<TOptions>>().Get(Name)));
    }

    /// <summary>
    /// Uses a store in place of the one that a Use method chooses, before or after this call. The options of the replaced store are not validated. Wrappers
    /// (<see cref="WrapStore"/>) stay.
    /// </summary>
    /// <param name="create">Creates a proxy that is not open, as in <see cref="UseStore"/>. Of several calls, the last one counts.</param>
    public StoutBuilder ReplaceStore(Func<IServiceProvider, IStorageProxy> create)
    {
        ArgumentNullException.ThrowIfNull(create);
        Services.AddKeyedSingleton(Name, new StoreReplacement(create));
        return this;
    }

    /// <summary>Wraps the store, for instance to observe it, or to inject faults in tests.</summary>
    /// <param name="wrap">Receives the unopened proxy and returns its wrapper, which opens and disposes it. The last call's wrapper is
    /// outermost.</param>
    public StoutBuilder WrapStore(Func<IServiceProvider, IStorageProxy, IStorageProxy> wrap)
    {
        ArgumentNullException.ThrowIfNull(wrap);
        Wrappings.Add(wrap);
        return this;
    }

    /// <summary>Uses a store in memory whose data ends with the host, for tests and experiments.</summary>
    /// <param name="store">The store; null creates an empty one with one partition.</param>
    public StoutBuilder UseInMemory(InMemoryStore? store = null) => UseStore(_ => store ?? new InMemoryStore());

    /// <summary>
    /// Registers a collection as <see cref="DocumentCollection{T}"/>, keyed by its name (<c>name:collection</c> for a named Stout). If it is the only
    /// one of its type, it is also registered without a key (keyed by <see cref="Name"/> for a named Stout).
    /// </summary>
    /// <typeparam name="T">The type of the objects' parts.</typeparam>
    /// <param name="collection">The collection's name.</param>
    /// <param name="options">The collection's options; null for the defaults.</param>
    [RequiresUnreferencedCode(PartSerializers.ByReflection)]
    [RequiresDynamicCode(PartSerializers.ByReflection)]
    public StoutBuilder AddCollection<T>(string collection, CollectionOptions<T>? options = null)
        where T : class => AddCollection(collection, store => store.GetCollection<T>(collection, options));

    /// <summary>Registers a collection with a serializer of its own; otherwise as <see cref="AddCollection{T}(string, CollectionOptions{T})"/>.</summary>
    /// <typeparam name="T">The type of the objects' parts.</typeparam>
    /// <param name="collection">The collection's name.</param>
    /// <param name="serializer">Converts parts to bytes and back.</param>
    /// <param name="options">The collection's options; null for the defaults.</param>
    public StoutBuilder AddCollection<T>(string collection, IPartSerializer<T> serializer, CollectionOptions<T>? options = null)
        where T : class => AddCollection(collection, store => store.GetCollection(collection, serializer, options));

    private StoutBuilder AddCollection<T>(string collection, Func<DocumentStore, DocumentCollection<T>> find)
        where T : class
    {
        var key = Name.Length == 0 ? collection : $"{Name}:{collection}";
        Services.AddKeyedSingleton(key, (services, _) => find(services.GetRequiredKeyedService<DocumentStore>(Name)));
        if (!_collections.TryGetValue(typeof(T), out var keys))
            _collections[typeof(T)] = keys = [];
        keys.Add(key);
        if (keys.Count > 1)
            return this;
        if (Name.Length == 0)
            Services.AddSingleton(TheOnlyOne);
        else
            Services.AddKeyedSingleton(Name, (services, _) => TheOnlyOne(services));
        return this;

        DocumentCollection<T> TheOnlyOne(IServiceProvider services) => keys.Count == 1
            ? services.GetRequiredKeyedService<DocumentCollection<T>>(key)
            : throw new InvalidOperationException(
                $"There are several collections of {typeof(T).Name}. Inject one by its key, with [FromKeyedServices]: {string.Join(", ", keys)}.");
    }

    /// <summary>
    /// Adds options of this Stout, under the options name <see cref="Name"/>. The options are read from a configuration section, then changed by code,
    /// and validated when the host starts. Unknown settings are errors, except those of <see cref="IgnoreSettings"/>.
    /// </summary>
    /// <typeparam name="TOptions">The options type.</typeparam>
    /// <param name="section">The options' section within <see cref="Section"/>; empty for <see cref="Section"/> itself, which may contain other
    /// sections.</param>
    /// <param name="configure">Changes the options in code, after configuration.</param>
    /// <param name="validate">Throws <see cref="InvalidOptionException"/> for an invalid option.</param>
    /// <param name="areOfStore">Whether these are options of the store, which are not validated if the store is replaced.</param>
    /// <exception cref="ArgumentException">The function that changes the options is asynchronous.</exception>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    internal StoutBuilder AddOptions<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor | DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(string section, Action<TOptions>? configure, Action<TOptions> validate, bool areOfStore)
        where TOptions : class
    {
        ArgumentNullException.ThrowIfNull(section);
        var path = section.Length == 0 ? Section : $"{Section}:{section}";
        Know(section);
        return AddOptions<TOptions>(
            (services, configuration, options) => Bind(services, configuration, section, options),
            configure,
            options =>
            {
                if (!areOfStore || !IsStoreReplaced)
                    InvalidOptionException.Under(path, () => validate(options));
            });
    }

    internal StoutBuilder AddOptions<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor | DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(Action<IServiceProvider, IConfiguration, TOptions> bind, Action<TOptions>? configure, Action<TOptions> validate)
        where TOptions : class
    {
        SynchronousFunction.Require(configure, nameof(configure));
        var options = Services.AddOptions<TOptions>(Name).Configure<IServiceProvider>((options, services) =>
        {
            if (services.GetService<IConfiguration>() is { } configuration)
                bind(services, configuration, options);
        });
        if (configure is not null)
            options.Configure(configure);
        Services.AddSingleton<IValidateOptions<TOptions>>(new OptionsCheck<TOptions>(Name, validate));
        options.ValidateOnStart();
        return this;
    }

    /// <summary>
    /// Leaves settings of this Stout's section to the application, such as the sections of stores and pacing laws among which the application selects. The
    /// setting <c>Store</c> needs no such call.
    /// </summary>
    /// <param name="settings">Names of settings or sections within <see cref="Section"/>.</param>
    public StoutBuilder IgnoreSettings(params IEnumerable<string> settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        foreach (var setting in settings)
            Know(setting);
        return this;
    }

    /// <summary>Creates the store with its wrappers.</summary>
    /// <exception cref="InvalidOperationException">There is no store, or a second one: a service <see cref="IStorageProxy"/>.</exception>
    internal IStorageProxy MakeStore(IServiceProvider services)
    {
        var store = services.GetKeyedService<StoreReplacement>(Name) is { } replacement ? replacement.Create(services) : TheOnlyStore(services);
        return Wrappings.Aggregate(store, (inner, wrap) => wrap(services, inner));
    }

    /// <summary>The store of the Use method, or else of the service <see cref="IStorageProxy"/>, which has the key <see cref="Name"/> for a named Stout.</summary>
    private IStorageProxy TheOnlyStore(IServiceProvider services)
    {
        var service = Name.Length == 0 ? services.GetService<IStorageProxy>() : services.GetKeyedService<IStorageProxy>(Name);
        if (CreateStore is null)
        {
            return service ?? throw new InvalidOperationException(
                $"{Title} has no store: call one of its builder's Use methods, such as UseSqlite or UseInMemory.");
        }

        var store = CreateStore(services);
        if (service is not null && !ReferenceEquals(service, store))
        {
            throw new InvalidOperationException(
                $"{Title} has two stores: one of a Use method, and the service {nameof(IStorageProxy)}. {nameof(ReplaceStore)}, or ReplaceStoutStore of the service collection, replaces the store.");
        }

        return store;
    }

    /// <summary>Binds options from the Stout's section, or from a section within it.</summary>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    internal void Bind(IServiceProvider services, IConfiguration configuration, string section, object options)
    {
        var own = new NamedConnections(configuration.GetSection(Section), configuration);
        if (section.Length > 0)
        {
            Settings.Bind(own.GetSection(section), options);
            return;
        }

        // A Stout's section also contains the sections of its store, of its health options and of named Stouts.
        List<KnownSection> known = [.. services.GetServices<KnownSection>()];
        var pacing = own.GetSection(nameof(StoutOptions.Pacing));
        bool IsKnown(IConfigurationSection setting) => known.Exists(section => section.Covers(setting.Path));
        bool IsElsewhere(IConfigurationSection setting) => setting.Path == pacing.Path || IsKnown(setting);
        if (options is StoutOptions stout)
        {
            // If the delegate Pacing were null, the binder would try to create a delegate from the section Pacing.
            var chosen = stout.Pacing;
            stout.Pacing ??= PacingLaws.Delay();
            Settings.Bind(own, options, IsElsewhere);
            stout.Pacing = chosen;
            PacingSection.Bind(pacing, stout, IsKnown);
        }
        else
        {
            Settings.Bind(own, options, IsElsewhere);
        }
    }

    /// <summary>Registers a section or setting as known, so that the check for unknown settings accepts it.</summary>
    private void Know(string section) =>
        Services.AddSingleton(new KnownSection(section.Length == 0 ? Section : $"{Section}:{section}"));
}
