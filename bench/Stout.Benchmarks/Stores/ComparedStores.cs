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

    /// <summary>The same, and none is enough.</summary>
    public static IReadOnlyList<IComparedStore> Find() =>
    [
        .. Known
            .Select(known => (Connection: Environment.GetEnvironmentVariable(known.Key), Make: known.Value))
            .Where(known => !string.IsNullOrEmpty(known.Connection))
            .Select(known => known.Make(known.Connection!)),
    ];
}
