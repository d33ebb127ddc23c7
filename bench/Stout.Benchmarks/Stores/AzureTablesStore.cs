using Azure;
using Azure.Data.Tables;
using Stout.AzureTables;
using Stout.Storage;

namespace Stout.Benchmarks.Stores;

/// <summary>Azure Tables. A plain write is one request that upserts one entity.</summary>
internal sealed class AzureTablesStore(string account) : IComparedStore
{
    private readonly string _name = $"bench{Guid.NewGuid():N}";
    private readonly TableServiceClient _client = new(account);
    private int _proxies;

    public string Name => "Azure Tables";

    private TableClient Plain => _client.GetTableClient(_name);

    public IStorageProxy Connect() =>
        new AzureTablesStorage(new AzureTablesOptions { Accounts = [account], Table = $"{_name}{_proxies++}", PartitionsPerAccount = 1 });

    public async Task PreparePlainAsync(int writers)
    {
        // The number of writers does not matter: the client uses the framework's pool of connections, which has no bound.
        await Plain.CreateAsync();
    }

    public async Task WritePlainAsync(string key, ReadOnlyMemory<byte> value)
    {
        var entity = new TableEntity("0000", key) { ["Value"] = value.ToArray() };
        await Plain.UpsertEntityAsync(entity, TableUpdateMode.Replace);
    }

    public async Task<bool> AnswersAsync()
    {
        var options = new TableClientOptions { Retry = { MaxRetries = 0, NetworkTimeout = TimeSpan.FromSeconds(1) } };
        try
        {
            await foreach (var _ in new TableServiceClient(account, options).QueryAsync(maxPerPage: 1))
                break;
            return true;
        }
        catch (Exception error) when (error is RequestFailedException or TaskCanceledException)
        {
            return false;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Plain.DeleteAsync();
        for (var i = 0; i < _proxies; i++)
            await _client.GetTableClient($"{_name}{i}").DeleteAsync();
    }
}
