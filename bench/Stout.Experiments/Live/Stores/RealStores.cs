using Stout.AzureTables;
using Stout.Cosmos;
using Stout.SqlServer;

namespace Stout.Experiments.Live.Stores;

/// <summary>The real stores by name. Their connection strings come from the environment.</summary>
internal static class RealStores
{
    private const string Container = "stoutexperiments";

    private static readonly TimeSpan SlowFlush = TimeSpan.FromMilliseconds(8);

    private static readonly Dictionary<string, Func<int?, IRealStore>> Known = new()
    {
        ["sqlite"] = _ => new SqliteFile(),
        ["postgres"] = server => new PostgreSqlServer(Connection("STOUT_POSTGRES"), StallOf(server)),
        ["postgres-slow-flush"] = server => new PostgreSqlServer(Connection("STOUT_POSTGRES"), StallOf(server), SlowFlush),
        ["sqlserver"] = _ => SqlServer(Connection("STOUT_SQLSERVER")),
        ["azuretables"] = _ => AzureTables(Connection("STOUT_AZURE_TABLES")),
        ["cosmos"] = _ => Cosmos(Connection("STOUT_COSMOS")),
        ["faulty"] = _ => new FaultyMemory(),
    };

    public static IReadOnlyCollection<string> Names => Known.Keys;

    /// <summary>Opens a real store.</summary>
    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <param name="server">The id of the first process of a server on this machine that may be stopped; null without such a server.</param>
    /// <exception cref="ExperimentException">The environment does not say where the store is.</exception>
    public static IRealStore Open(string name, int? server) => Known[name](server);

    private static ServiceStore SqlServer(string connection) => new(
        "SQL Server", () => new SqlServerStorage(new SqlServerOptions { ConnectionStrings = [connection], Schema = Container }));

    private static ServiceStore AzureTables(string connection) => new(
        "Azure Tables, one table partition", () => new AzureTablesStorage(new AzureTablesOptions { Accounts = [connection], Table = Container, PartitionsPerAccount = 1 }));

    private static ServiceStore Cosmos(string connection) => new("Azure Cosmos DB, one logical partition", () => new CosmosStorage(new CosmosOptions
    {
        Containers = { new CosmosContainerOptions { ConnectionString = connection, Container = Container } },
        Partitions = 1,
    }));

    private static ServerProcesses? StallOf(int? server) => server is { } process ? new ServerProcesses(process) : null;

    private static string Connection(string variable) => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } connection
        ? connection
        : throw new ExperimentException($"{variable} has to hold the store's connection string.");
}
