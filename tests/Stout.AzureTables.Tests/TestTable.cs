using Azure.Data.Tables;
using Microsoft.Extensions.Time.Testing;
using Stout.Storage;
using Stout.Testing;

namespace Stout.AzureTables.Tests;

/// <summary>A table for one test, which deletes it at the end, and Azure's own client of the table.</summary>
internal sealed class TestTable : IDisposable
{
    public TestTable(string account)
    {
        Options = new AzureTablesOptions { Accounts = [account], Table = $"t{Guid.NewGuid():N}", PartitionsPerAccount = 1 };
        Other = new TableClient(account, Options.Table);
    }

    public FakeTimeProvider Time { get; } = new();

    public AzureTablesOptions Options { get; set; }

    /// <summary>The table as Azure's own client sees it.</summary>
    public TableClient Other { get; }

    public AzureTablesStorage NewStorage() => new(Options, Time);

    public Task<StoreClient> OpenAsync() => StoreClient.OpenAsync(NewStorage());

    public async Task<StoreException> RefusalAsync()
    {
        await using var storage = NewStorage();
        return await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync(TestContext.Current.CancellationToken));
    }

    /// <summary>Opens another proxy of the table, and sweeps all garbage that can be swept now.</summary>
    public async Task SweepAsync()
    {
        await using var storage = NewStorage();
        foreach (var partition in await storage.OpenAsync(TestContext.Current.CancellationToken))
            await ((AzureTablesPartition)partition).Sweeper.SweepAsync(TestContext.Current.CancellationToken);
    }

    /// <summary>All rows, as Azure's own client reads them.</summary>
    public IReadOnlyList<TableEntity> Rows() => [.. Other.Query<TableEntity>()];

    public void Dispose() => Other.Delete();
}
