namespace Stout.PostgreSql.Tests;

/// <summary>Databases of a test class's own, as xUnit 2 makes them.</summary>
public abstract partial class TestDatabases : IAsyncLifetime
{
    /// <summary>The server that run.sh has started.</summary>
    protected static string Server { get; } = Environment.GetEnvironmentVariable("STOUT_POSTGRES")
        ?? throw new InvalidOperationException("STOUT_POSTGRES names no server.");

    public Task InitializeAsync() => CreateAsync();

    public Task DisposeAsync() => DropAsync();
}

/// <summary>One database.</summary>
public sealed class TestDatabase() : TestDatabases(Server, 1);

/// <summary>Three databases, for a store of three partitions.</summary>
public sealed class ThreeDatabases() : TestDatabases(Server, 3);
