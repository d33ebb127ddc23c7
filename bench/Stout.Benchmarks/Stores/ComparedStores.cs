namespace Stout.Benchmarks.Stores;

/// <summary>The stores that the environment names.</summary>
internal static class ComparedStores
{
    private static readonly Dictionary<string, Func<string, IComparedStore>> Known = new()
    {
        ["STOUT_POSTGRES"] = connection => new PostgreSqlStore(connection),
        ["STOUT_SQLSERVER"] = connection => new SqlServerStore(connection),
        ["STOUT_AZURE_TABLES"] = connection => new AzureTablesStore(connection),
        ["STOUT_COSMOS"] = connection => new CosmosStore(connection),
    };

    public static IReadOnlyList<IComparedStore> FromEnvironment()
    {
        var stores = Find();
        return stores.Count > 0 ? stores : throw new InvalidOperationException($"Name a store: {string.Join(", ", Known.Keys)} hold connection strings.");
    }

    /// <summary>The stores that the environment names; empty if it names no store.</summary>
    public static IReadOnlyList<IComparedStore> Find() => [.. Variables().Select(OfVariable)];

    /// <summary>The variables that name a store.</summary>
    public static IEnumerable<string> Variables() => Known.Keys.Where(variable => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(variable)));

    /// <summary>The store that a variable names.</summary>
    /// <exception cref="ArgumentException">The variable does not belong to a store, or is not set.</exception>
    public static IComparedStore OfVariable(string variable) =>
        Known.TryGetValue(variable, out var make) && Environment.GetEnvironmentVariable(variable) is { Length: > 0 } connection
            ? make(connection)
            : throw new ArgumentException($"There is no store with the name {variable}.", nameof(variable));
}
