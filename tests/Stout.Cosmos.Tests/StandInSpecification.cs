using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Cosmos.Tests;

/// <summary>The promises whole, before a stand-in for the service: one store partition.</summary>
public class StandInSpecification : StorageProxySpecification
{
    private StandInStore? _store;

    protected virtual int Partitions => 1;

    // Three seeds: 102,000 operations on the suite's 90 keys.
    protected override int RandomOperations => 34_000;

    private protected StandInStore Store => _store ??= new StandInStore(Time);

    protected override IStorageProxy Connect(TimeProvider time) => StandInStorage.Connect(Store, time, Partitions);
}

/// <summary>Three store partitions, and queries that take many pages.</summary>
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
