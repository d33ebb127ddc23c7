namespace Replicas.Tests.Torture;

/// <summary>The tests that share one database server. They run one after the other, since they kill it.</summary>
[CollectionDefinition(nameof(OneServer))]
public sealed class OneServer : ICollectionFixture<DatabaseServer>;
