using Stout.Storage;

namespace Stout.Testing.Tests;

/// <summary>A faulty store without faults keeps the promises of its inner proxy. With faults it causes every kind of trouble that it supports.</summary>
public class FaultySpecification : InMemorySpecification
{
    protected override IStorageProxy Connect(TimeProvider time) => new FaultyStore(base.Connect(time), new FaultyStoreOptions(), time);

    protected override Task<IStorageProxy?> ConnectInTroubleAsync(StoreErrorKind trouble, TimeProvider time)
    {
        FaultRates? rates = trouble switch
        {
            StoreErrorKind.Overloaded => new() { Overloaded = 1 },
            StoreErrorKind.Unreachable => new() { Unreachable = 1 },
            StoreErrorKind.Unknown => new() { LostAnswer = 1 },
            StoreErrorKind.Refused => new() { Refused = 1 },
            StoreErrorKind.Busy => new() { Busy = 1 },
            StoreErrorKind.LimitExceeded => new() { LimitExceeded = 1 },
            _ => null,
        };
        return Task.FromResult<IStorageProxy?>(rates is null ? null : new FaultyStore(Data.Connect(), new() { Requests = rates }, time));
    }
}

/// <summary>A network that delivers half of the requests twice breaks no promise.</summary>
public sealed class RepeatingSpecification : InMemorySpecification
{
    protected override IStorageProxy Connect(TimeProvider time) =>
        new FaultyStore(base.Connect(time), new FaultyStoreOptions { Keys = new() { Repeated = 0.5 } }, time);
}

/// <summary>A store that requires the token of every stamp. So the suite must pass tokens back.</summary>
public sealed class TokenSpecification : StorageProxySpecification
{
    private InMemoryStore Data { get; } = new();

    protected override IStorageProxy Connect(TimeProvider time) => new TokenStore(Data.Connect());
}
