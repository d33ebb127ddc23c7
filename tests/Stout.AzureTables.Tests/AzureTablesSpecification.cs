using System.Net;
using System.Net.Sockets;
using Azure.Data.Tables;
using Stout.Storage;
using Stout.Testing;

namespace Stout.AzureTables.Tests;

/// <summary>A store of one table partition keeps the promises of the specification.</summary>
public class AzureTablesSpecification(Server server) : StorageProxySpecification, IDisposable
{
    private readonly TestTable _table = new(server.Account);
    private readonly Wire _wire = new();

    public void Dispose()
    {
        _table.Dispose();
        _wire.Dispose();
        GC.SuppressFinalize(this);
    }

    // Each operation is a request, and the server is slow; RandomRunTests has the long run.
    protected override int RandomOperations => 1_500;

    private protected virtual AzureTablesOptions Options => _table.Options;

    protected override IStorageProxy Connect(TimeProvider time) => new AzureTablesStorage(Options, time);

    protected override IStorageProxy? ConnectSweeping(TimeProvider time, StoreSweepOptions sweeping) => 
        new AzureTablesStorage(Options with { Sweeping = sweeping, Transport = _wire.Transport }, time);

    protected override Task<int?> CountRowsAsync() =>
        Task.FromResult<int?>(_table.Rows().Count(static row => !row.RowKey.StartsWith('!')));

    protected override Task<bool> FailSweepsAsync(bool fails)
    {
        _wire.Instead = request => fails && Uri.UnescapeDataString(request.RequestUri!.Query).Contains(Rows.RowKeys.Garbage, StringComparison.Ordinal)
            ? Wire.Answer(403, ServiceAnswers.Error("AuthorizationPermissionMismatch", "No."))
            : null;
        return Task.FromResult(true);
    }

    protected override async Task<bool> BreakSetUpAsync()
    {
        var identities = _table.Rows().Where(static row => row.RowKey == "!identity").ToList();
        foreach (var row in identities)
            await _table.Other.UpsertEntityAsync(new TableEntity(row.PartitionKey, row.RowKey) { ["IsReady"] = false });
        if (identities.Count > 1)
            await _table.Other.DeleteEntityAsync(identities[^1].PartitionKey, "!identity");
        return true;
    }

    protected override async Task<bool> NameOtherKeyAsync(StoreClient store, string key, string other)
    {
        var name = Rows.RowKeys.Header(Rows.RowKeys.Encode(new PartitionKey(key)));
        var row = _table.Rows().Single(row => row.RowKey == name);
        await _table.Other.UpsertEntityAsync(new TableEntity(row.PartitionKey, name) { ["LongKey"] = Rows.RowKeys.Encode(other) });
        return true;
    }

    protected override async Task<IStorageProxy?> ConnectInTroubleAsync(StoreErrorKind trouble, TimeProvider time)
    {
        switch (trouble)
        {
            case StoreErrorKind.Unreachable:
                using (var listener = new TcpListener(IPAddress.Loopback, 0))
                {
                    listener.Start();
                    var port = ((IPEndPoint)listener.LocalEndpoint).Port;
                    return At($"DefaultEndpointsProtocol=http;AccountName=a;AccountKey=aaaa;TableEndpoint=http://127.0.0.1:{port}/a");
                }

            case StoreErrorKind.Refused:
                return At(string.Join(';', server.Account.Split(';').Select(setting => setting.StartsWith("AccountKey=", StringComparison.Ordinal) ? "AccountKey=s3cr3tss" : setting)));
            case StoreErrorKind.LayoutMismatch:
                await _table.Other.CreateAsync();
                await (await _table.OpenAsync()).DisposeAsync();
                return new AzureTablesStorage(Options with { PartitionsPerAccount = 7 }, time);
            default:
                return null;
        }

        AzureTablesStorage At(string account) => new(Options with { Accounts = [account] }, time);
    }
}

/// <summary>A store of three table partitions keeps the promises of the specification.</summary>
public sealed class AzureTablesSetSpecification(Server server) : AzureTablesSpecification(server)
{
    // Only the partitions differ here; the class above has the longer runs.
    protected override int RandomOperations => 500;

    protected override int DuplicatedKeys => 40;

    private protected override AzureTablesOptions Options => base.Options with { PartitionsPerAccount = 3 };
}
