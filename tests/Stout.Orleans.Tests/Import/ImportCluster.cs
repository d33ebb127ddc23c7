using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Hosting;
using Stout.Storage;

namespace Stout.Orleans.Tests.Import;

/// <summary>
/// One silo with several grain storages of Stout on one store. All of them but one import states from a former storage. The storages "Default" and "other"
/// act as those of two silos. Deleted states leave nothing, except in the storage without fences.
/// </summary>
public sealed class ImportCluster : IAsyncLifetime
{
    public const string Importing = "Default";
    public const string Other = "other";
    public const string Unfenced = "unfenced";
    public const string Unclaimed = "unclaimed";
    public const string WithoutImport = "plain";
    public const string Careless = "careless";
    public const string Lenient = "lenient";

    /// <summary>The name of the states.</summary>
    public const string Name = "counter";

    private readonly InMemoryStore _store = new();
    private InProcessTestCluster? _cluster;

    public FormerTable Former { get; } = new();

    public FormerTable FormerCareless { get; } = new() { IgnoresETags = true };

    public FormerTable FormerLenient { get; } = new() { IsLenient = true };

    public IGrainFactory Client => _cluster!.Client;

    public IGrainStorage this[string storage] => _cluster!.StorageOf(storage);

    public static GrainId NewGrain() => GrainId.Create("counter", Guid.NewGuid().ToString("N"));

    /// <summary>Writes a record as a silo with the former storage does.</summary>
    public Task<GrainState<TestState>> WriteFormerAsync(GrainId grain, int number) => WriteAsync(Former, grain, number);

    public static async Task<GrainState<TestState>> WriteAsync(IGrainStorage storage, GrainId grain, int number)
    {
        var state = new GrainState<TestState>(new TestState { Number = number });
        await storage.WriteStateAsync(Name, grain, state);
        return state;
    }

    public async Task<GrainState<TestState>> ReadAsync(string storage, GrainId grain)
    {
        var state = new GrainState<TestState>(new TestState { Number = -1 });
        await this[storage].ReadStateAsync(Name, grain, state);
        return state;
    }

    public Task DeactivateAsync(IAddressable grain) => _cluster!.DeactivateAsync(grain);

    public async ValueTask InitializeAsync() => _cluster = await TestCluster.StartAsync(1, silo =>
    {
        Register("former", Former);
        Register("former-careless", FormerCareless);
        Register("former-lenient", FormerLenient);
        Add(Importing, "former");
        Add(Other, "former");
        Add(Unfenced, "former", fences: false);
        Add(Unclaimed, "former", ownership: GrainOwnership.None);
        Add(WithoutImport, null);
        Add(Careless, "former-careless");
        Add(Lenient, "former-lenient");

        void Register(string name, FormerTable table) => silo.Services.AddKeyedSingleton<IGrainStorage>(name, table);

        void Add(string name, string? from, bool fences = true, GrainOwnership ownership = GrainOwnership.Claim) => silo.AddStoutGrainStorage(
            name,
            stout => stout.UseStore(_ => _store.Connect()),
            (StoutGrainStorageOptions options) =>
                (options.ImportFrom, options.FenceImported, options.DeleteStateOnClear, options.Ownership) = (from, fences, true, ownership));
    });

    public async ValueTask DisposeAsync()
    {
        await _cluster!.DisposeAsync();
        await _store.DisposeAsync();
    }
}
