using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Stout.Documents;
using Stout.Storage;

namespace Stout.Hosting;

/// <summary>Says what one Stout of an application consists of. Packages of proxies add their Use methods to it.</summary>
public sealed class StoutBuilder
{
    /// <summary>The name of the one that has none.</summary>
    internal const string DefaultName = "";

    /// <summary>Why the calls that bind options are marked for trimming and native AOT.</summary>
    internal const string ByReflection =
        "Options are bound from the configuration by reflection. Programs that are trimmed or compiled ahead of time open a DocumentStore or a StoutClient themselves.";

    /// <summary>The setting by which an application may choose among stores. This library does not look at it.</summary>
    private const string StoreSetting = "Store";

    /// <summary>The keys of the collections of each type.</summary>
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

    /// <summary>The Stout's name: its key as a service, and the name of its options. Empty for the one without a name.</summary>
    public string Name { get; }

    /// <summary>Its section of the configuration: <c>Stout</c>, or <c>Stout:name</c>.</summary>
    public string Section => Name.Length == 0 ? "Stout" : "Stout:" + Name;

    internal string Title => Name.Length == 0 ? "A Stout without a name" : $"The Stout '{Name}'";

    private Func<IServiceProvider, IStorageProxy>? CreateStore { get; set; }

    private List<Func<IServiceProvider, IStorageProxy, IStorageProxy>> Wrappings { get; } = [];

    /// <summary>Keeps everything in a store of your choice.</summary>
    /// <param name="create">
    /// Makes the proxy, not yet opened. It belongs to the Stout, which opens and disposes it. Called once more for each attempt to open a
    /// store that is down (<see cref="StoutOptions.WaitAtStart"/>). The last call of this method holds.
    /// </param>
    public StoutBuilder UseStore(Func<IServiceProvider, IStorageProxy> create)
    {
        ArgumentNullException.ThrowIfNull(create);
        CreateStore = create;
        return this;
    }

    /// <summary>Puts something around the store, whichever it is: to watch it, say, or to disturb it in tests.</summary>
    /// <param name="wrap">Gets the proxy, not yet opened, and returns the one to use; that one opens and disposes it. The last call's is outermost.</param>
    public StoutBuilder WrapStore(Func<IServiceProvider, IStorageProxy, IStorageProxy> wrap)
    {
        ArgumentNullException.ThrowIfNull(wrap);
        Wrappings.Add(wrap);
        return this;
    }

    /// <summary>Keeps everything in this process's memory: nothing outlives the host. For tests and for trying things out.</summary>
    /// <param name="store">The store; null for an empty one with one partition.</param>
    public StoutBuilder UseInMemory(InMemoryStore? store = null) => UseStore(_ => store ?? new InMemoryStore());

    /// <summary>
    /// Makes a collection injectable as <see cref="DocumentCollection{T}"/>: keyed by its own name (<c>name:collection</c> if the Stout has a name),
    /// and, where it is the only one of its type, without a key (keyed by <see cref="Name"/> if the Stout has one).
    /// </summary>
    /// <typeparam name="T">The type of the objects' parts.</typeparam>
    /// <param name="collection">The collection's name.</param>
    /// <param name="options">How the collection behaves where other processes write its objects too; null for the defaults.</param>
    [RequiresUnreferencedCode(PartSerializers.ByReflection)]
    [RequiresDynamicCode(PartSerializers.ByReflection)]
    public StoutBuilder AddCollection<T>(string collection, CollectionOptions? options = null)
        where T : class => AddCollection(collection, store => store.GetCollection<T>(collection, options));

    /// <inheritdoc cref="AddCollection{T}(string, CollectionOptions)"/>
    /// <param name="collection">The collection's name.</param>
    /// <param name="serializer">How a part becomes bytes.</param>
    /// <param name="options">How the collection behaves where other processes write its objects too; null for the defaults.</param>
    public StoutBuilder AddCollection<T>(string collection, IPartSerializer<T> serializer, CollectionOptions? options = null)
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
    /// Adds options of this Stout, named <see cref="Name"/>: from a section of the configuration, then from code, and checked when the
    /// host starts. A setting that does not exist is an error, but for those of <see cref="IgnoreSettings"/>.
    /// </summary>
    /// <typeparam name="TOptions">The options.</typeparam>
    /// <param name="section">Their section within <see cref="Section"/>; empty for <see cref="Section"/> itself, where other sections lie beside the options.</param>
    /// <param name="configure">Sets options in code; it has the last word.</param>
    /// <param name="validate">Throws <see cref="InvalidOptionException"/> for an option that is out of its range.</param>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public StoutBuilder AddOptions<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor | DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(string section, Action<TOptions>? configure, Action<TOptions> validate)
        where TOptions : class
    {
        ArgumentNullException.ThrowIfNull(section);
        var path = section.Length == 0 ? Section : $"{Section}:{section}";
        Know(section);
        return AddOptions<TOptions>(
            (services, configuration, options) => Bind(services, configuration, section, options),
            configure,
            options => InvalidOptionException.Under(path, () => validate(options)));
    }

    internal StoutBuilder AddOptions<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor | DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(Action<IServiceProvider, IConfiguration, TOptions> bind, Action<TOptions>? configure, Action<TOptions> validate)
        where TOptions : class
    {
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
    /// Leaves settings of this Stout's section to the application, such as the sections of stores among which it chooses. The setting
    /// <c>Store</c> is left to it without this call.
    /// </summary>
    /// <param name="settings">Names of settings or sections within <see cref="Section"/>.</param>
    public StoutBuilder IgnoreSettings(params IEnumerable<string> settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        foreach (var setting in settings)
            Know(setting);
        return this;
    }

    /// <summary>Makes the store, with what is around it.</summary>
    internal IStorageProxy? MakeStore(IServiceProvider services)
    {
        var store = CreateStore?.Invoke(services);
        return store is null ? null : Wrappings.Aggregate(store, (inner, wrap) => wrap(services, inner));
    }

    /// <summary>Sets options from the Stout's own section, or from one within it.</summary>
    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    internal void Bind(IServiceProvider services, IConfiguration configuration, string section, object options)
    {
        var own = configuration.GetSection(Section);
        if (section.Length > 0)
        {
            Settings.Bind(own.GetSection(section), options);
            return;
        }

        // Beside a Stout's own options lie the sections of its store, of its health and of other Stouts.
        List<KnownSection> known = [.. services.GetServices<KnownSection>()];
        var pacing = own.GetSection(nameof(StoutOptions.Pacing));
        Settings.Bind(own, options, setting => setting.Path == pacing.Path || known.Exists(section => section.Covers(setting.Path)));
        if (options is StoutOptions stout)
            PacingSection.Bind(pacing, stout);
    }

    /// <summary>A section is known as soon as its options are added, by this package or another.</summary>
    private void Know(string section) =>
        Services.AddSingleton(new KnownSection(section.Length == 0 ? Section : $"{Section}:{section}"));
}
