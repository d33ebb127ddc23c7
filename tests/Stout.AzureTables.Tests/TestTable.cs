using Microsoft.Extensions.Time.Testing;
using Microsoft.Azure.Cosmos.Table;
using Stout.Storage;
using Stout.Testing;

namespace Stout.AzureTables.Tests;

/// <summary>A table of a test's own, which goes with it; and another client's view of it.</summary>
internal sealed class TestTable : IDisposable
{
    public TestTable(string account)
    {
        Options = new AzureTablesOptions { Accounts = [account], Table = $"t{Guid.NewGuid():N}", PartitionsPerAccount = 1 };
        Other = CloudStorageAccount.Parse(account).CreateCloudTableClient().GetTableReference(Options.Table);
    }

    public FakeTimeProvider Time { get; } = new();

    public AzureTablesOptions Options { get; set; }

    /// <summary>The table as another client sees it.</summary>
    public CloudTable Other { get; }

    public AzureTablesStorage NewStorage() => new(Options, Time);

    public Task<StoreClient> OpenAsync() => StoreClient.OpenAsync(NewStorage());

    public async Task<StoreException> RefusalAsync()
    {
        await using var storage = NewStorage();
        return await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync(TestContext.Current.CancellationToken));
    }

    /// <summary>All rows, as the other client reads them.</summary>
    public IReadOnlyList<DynamicTableEntity> Rows() => [.. Other.ExecuteQuery(new TableQuery())];

    public void Dispose() => Other.DeleteIfExists();
}
