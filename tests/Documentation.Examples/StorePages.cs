using Azure.Identity;
using Microsoft.Extensions.DependencyInjection;
using Stout.Cosmos;
using Stout.Documents;
using Stout.PostgreSql;

namespace Documentation.Examples;

/// <summary>The code of the pages inside the packages of stores over a network.</summary>
public static class StorePages
{
    public static async Task OpenPostgreSqlAsync()
    {
        #region postgresql
        await using var store = await DocumentStore.OpenAsync(new PostgreSqlStorage("Host=db;Database=docs;Username=docs;Password=…"));
        #endregion
    }

    public static void AddSqlServer(IServiceCollection services)
    {
        #region sqlserver
        services.AddStout().UseSqlServer("Server=tcp:sql.example.com;Database=docs;Authentication=Active Directory Default");
        #endregion
    }

    public static void AddAzureTables(IServiceCollection services)
    {
        #region azuretables
        services.AddStout().UseAzureTables(options =>
        {
            options.Accounts = ["https://myaccount.table.core.windows.net"];
            options.Credential = new DefaultAzureCredential();
        });
        #endregion
    }

    public static async Task OpenCosmosAsync(string connectionString)
    {
        #region cosmos
        var options = new CosmosOptions();
        options.Containers.Add(new CosmosContainerOptions { ConnectionString = connectionString });
        await using var store = await DocumentStore.OpenAsync(new CosmosStorage(options));
        #endregion
    }
}
