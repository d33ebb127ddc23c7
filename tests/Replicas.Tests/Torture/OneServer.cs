namespace Replicas.Tests.Torture;

/// <summary>Tests that share one database server, one after the other, since they kill it.</summary>
[CollectionDefinition(nameof(OneServer))]
public sealed class OneServer : ICollectionFixture<DatabaseServer>;
