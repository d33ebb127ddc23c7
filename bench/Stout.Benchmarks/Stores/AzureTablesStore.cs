using Microsoft.Azure.Cosmos.Table;
using Stout.AzureTables;
using Stout.Storage;

namespace Stout.Benchmarks.Stores;

/// <summary>Azure Tables: by hand, one entity a request, put in whatever is there.</summary>
internal sealed class AzureTablesStore(string account) : IComparedStore
{
    private readonly string _name = $"bench{Guid.NewGuid():N}";
    private readonly CloudTableClient _client = CloudStorageAccount.Parse(account).CreateCloudTableClient();
    private int _proxies;

    public string Name => "Azure Tables";

    private CloudTable Plain => _client.GetTableReference(_name);

    public IStorageProxy Connect() =>
        new AzureTablesStorage(new AzureTablesOptions { Accounts = [account], Table = $"{_name}{_proxies++}", PartitionsPerAccount = 1 });

    public async Task PreparePlainAsync(int writers)
    {
        // The client's pool of connections is the framework's, which has no bound.
        await Plain.CreateAsync();
    }

    public async Task WritePlainAsync(string key, ReadOnlyMemory<byte> value)
    {
        var entity = new DynamicTableEntity("0000", key) { ["Value"] = new EntityProperty(value.ToArray()) };
        await Plain.ExecuteAsync(TableOperation.InsertOrReplace(entity));
    }

    public async Task<bool> AnswersAsync()
    {
        try
        {
            var impatient = new TableRequestOptions { RetryPolicy = new NoRetry(), MaximumExecutionTime = TimeSpan.FromSeconds(1) };
            await _client.ListTablesSegmentedAsync("none", 1, null, impatient, null);
            return true;
        }
        catch (StorageException)
        {
            return false;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Plain.DeleteIfExistsAsync();
        for (var i = 0; i < _proxies; i++)
            await _client.GetTableReference($"{_name}{i}").DeleteIfExistsAsync();
    }
}
