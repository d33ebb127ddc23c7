using Stout.Storage;

namespace Stout.Testing.Tests;

/// <summary>The in-memory store keeps the promises of the specification.</summary>
public class InMemorySpecification : StorageProxySpecification
{
    private protected InMemoryStore Data { get; } = new(partitions: 3);

    protected override IStorageProxy Connect(TimeProvider time) => Data.Connect();
}
