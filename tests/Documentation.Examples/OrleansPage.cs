using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Concurrency;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Storage;
using Stout.Orleans;

namespace Documentation.Examples;

/// <summary>The code of the pages docs/orleans*.md, and of the page inside the package Stout.Orleans.</summary>
public static class OrleansPage
{
    public static void AddSilo()
    {
        var builder = Host.CreateApplicationBuilder();

        #region silo
        builder.UseOrleans(silo => silo
            .UseLocalhostClustering()
            .AddStoutGrainStorageAsDefault(stout => stout.UseSqlite("grains.db")));
        #endregion
    }

    public static void AddNamed(ISiloBuilder silo, string connectionString)
    {
        #region named
        silo.AddStoutGrainStorage("profiles", stout => stout.UsePostgreSql(connectionString), options => options.DeleteStateOnClear = true);
        #endregion
    }

    public static void AddShared(ISiloBuilder silo, string connectionString)
    {
        #region shared
        silo.AddStoutGrainStorageAsDefault(stout => stout.UsePostgreSql(connectionString))
            .AddSharedStoutGrainStorage("PubSubStore", sharedWith: "Default")
            .AddSharedStoutGrainStorage("profiles", sharedWith: "Default", options => options.KeyPrefix = "profiles");
        #endregion
    }

    public static void AddHandOver(ISiloBuilder silo)
    {
        #region handover
        silo.AddStoutHandOver();
        #endregion
    }

    public static void Import(ISiloBuilder silo, string connectionString)
    {
        #region import
        silo.AddAdoNetGrainStorage("former", ado => (ado.Invariant, ado.ConnectionString) = ("Npgsql", connectionString)); // was "profiles"
        silo.AddStoutGrainStorage("profiles", stout => stout.UsePostgreSql(connectionString), options => options.ImportFrom = "former");
        #endregion
    }

    public static async Task<bool> ImportOneAsync(IGrainStorage storage, GrainId grainId, CancellationToken cancellationToken)
    {
        #region import-one
        bool isImported = await storage.ImportAsync<CartState>("cart", grainId, cancellationToken);
        #endregion
        return isImported;
    }

    public static async Task ListAsync(IGrainStorage storage, CancellationToken cancellationToken)
    {
        #region list
        await foreach (GrainId grainId in storage.ListGrainsAsync("cart", GrainType.Create("cart"), cancellationToken))
            Console.WriteLine(grainId.Key);
        #endregion
    }

    public static async Task<bool> EraseAsync(IGrainStorage storage, string userId, CancellationToken cancellationToken)
    {
        #region erase
        IReadOnlyList<ErasedState> report = await storage.EraseAsync(
            [("profile", GrainId.Create("user", userId)), ("cart", GrainId.Create("cart", userId))], cancellationToken);
        bool isComplete = report.All(state => state.Outcome != ErasureOutcome.Failed);
        #endregion
        return isComplete;
    }

    public static void AddHealth(ISiloBuilder silo)
    {
        #region health
        silo.Services.AddHealthChecks().AddStout("profiles");
        #endregion
    }
}

/// <summary>The grain of the page.</summary>
public interface ICartGrain : IGrainWithStringKey
{
    Task<int> Add(string item);

    Task<int> Count();
}

/// <summary>The grain's state.</summary>
[GenerateSerializer]
public sealed class CartState
{
    [Id(0)]
    public List<string> Items { get; set; } = [];
}

#region facet
[Reentrant]
public sealed class CartGrain([StoutState("cart")] IStoutState<CartState> cart) : Grain, ICartGrain
{
    // The reply leaves when the change is durable. Calls that come meanwhile run, and share the write.
    public Task<int> Add(string item) => Task.FromResult(cart.Change(state =>
    {
        state.Items.Add(item);
        return state.Items.Count;
    }));

    // The reply leaves when what it tells is durable.
    public Task<int> Count() => Task.FromResult(cart.Value?.Items.Count ?? 0);
}
#endregion
