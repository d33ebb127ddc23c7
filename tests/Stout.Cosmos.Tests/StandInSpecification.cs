using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Cosmos.Tests;

/// <summary>The whole specification on a stand-in for the service with one store partition.</summary>
public class StandInSpecification : StorageProxySpecification
{
    private readonly Lazy<StandInStore> _store;

    public StandInSpecification() => _store = new(() => new StandInStore(Time));

    protected virtual int Partitions => 1;

    // Three seeds: 102,000 operations on the suite's 90 keys.
    protected override int RandomOperations => 34_000;

    // Lazy, since the test of concurrent set-ups uses the store first, from several threads.
    private protected StandInStore Store => _store.Value;

    protected override IStorageProxy Connect(TimeProvider time) => StandInStorage.Connect(Store, time, Partitions);

    protected override IStorageProxy? ConnectSweeping(TimeProvider time, StoreSweepOptions sweeping) =>
        StandInStorage.Connect(Store, time, Partitions, configure: options => options.Sweeping = sweeping);

    protected override Task<int?> CountRowsAsync() =>
        Task.FromResult<int?>(Store.Ids.Count(static id => id is not ("identity" or "floor") && !id.StartsWith("g.", StringComparison.Ordinal)));

    protected override Task<bool> NameOtherKeyAsync(StoreClient store, string key, string other)
    {
        Store.Rewrite(key, item =>
        {
            if (((string)item["id"]!).EndsWith(".h", StringComparison.Ordinal))
                item["k"] = Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes(other));
        });
        return Task.FromResult(true);
    }

    protected override Task<bool> FailSweepsAsync(bool fails)
    {
        Store.OnRequest = request => fails && request.Kind == "query" ? new Trouble(System.Net.HttpStatusCode.Forbidden) : null;
        return Task.FromResult(true);
    }

    protected override Task<bool> BreakSetUpAsync()
    {
        for (var partition = 0; partition < Partitions; partition++)
            Store.Change($"{partition}", "identity", item => item["ready"] = false);
        if (Partitions > 1)
            Store.Remove($"{Partitions - 1}", "identity");
        return Task.FromResult(true);
    }
}

/// <summary>The specification on three store partitions, with queries of many pages.</summary>
public sealed class StandInSetSpecification : StandInSpecification
{
    protected override int Partitions => 3;

    protected override int RandomOperations => 5_000;

    protected override IStorageProxy Connect(TimeProvider time)
    {
        Store.PageSize = 3;
        return base.Connect(time);
    }
}
