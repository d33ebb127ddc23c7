using System.Net;
using System.Net.Sockets;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;

namespace Stout.SqlServer.Tests;

/// <summary>A store of one database keeps the promises of the specification, and reports each kind of trouble.</summary>
public sealed class SqlServerSpecification : StorageProxySpecification, IAsyncDisposable
{
    private readonly ServerSchema _schema = new();
    private SqlConnection? _holder;
    private TcpProxy? _network;

    // The server's machine may be slow. ModelTests has the long run.
    protected override int RandomOperations => 3_000;

    public async ValueTask DisposeAsync()
    {
        if (_holder is not null)
            await _holder.DisposeAsync();
        if (_network is not null)
            await _network.DisposeAsync();
        await _schema.DisposeAsync();
    }

    protected override IStorageProxy Connect(TimeProvider time) => new SqlServerStorage(_schema.Options, time);

    protected override IStorageProxy? ConnectSweeping(TimeProvider time, StoreSweepOptions sweeping) => new SqlServerStorage(_schema.Options with { Sweeping = sweeping }, time);

    protected override async Task<int?> CountRowsAsync() =>
        await _schema.AskAsync<int>("SELECT (SELECT COUNT(*) FROM [stout].[header]) + (SELECT COUNT(*) FROM [stout].[part])");

    protected override async Task<bool> FailSweepsAsync(bool fails)
    {
        await _schema.RowsAsync(fails
            ? "CREATE TRIGGER [stout].[refusal] ON [stout].[garbage] AFTER DELETE AS THROW 50001, 'No.', 1;"
            : "DROP TRIGGER [stout].[refusal];");
        return true;
    }

    protected override async Task<bool> BreakSetUpAsync()
    {
        await _schema.RowsAsync("UPDATE [stout].[layout] SET ready = 0");
        return true;
    }

    // A test can't cause the errors of a full disk or a damaged page, since T-SQL raises no error numbers below 50,000.
    protected override async Task<IStorageProxy?> ConnectInTroubleAsync(StoreErrorKind trouble, TimeProvider time)
    {
        var settings = new SqlConnectionStringBuilder(ServerSchema.ServerOrSkip());
        switch (trouble)
        {
            case StoreErrorKind.Unreachable:
                settings.DataSource = $"127.0.0.1,{PortOfNobody()}";
                break;
            case StoreErrorKind.Refused:
                (settings.UserID, settings.Password) = ("nobody_here", "s3cr3t-Wrong");
                break;
            case StoreErrorKind.Overloaded:
                (settings.MaxPoolSize, settings.ConnectTimeout) = (1, 1);
                _holder = new SqlConnection(Database.Complete(settings.ConnectionString, _schema.Options.Calls.Timeout));
                await _holder.OpenAsync(TestContext.Current.CancellationToken);
                break;
            case StoreErrorKind.LayoutMismatch:
                await (await OpenAsync()).DisposeAsync();
                await _schema.RowsAsync("UPDATE [stout].[layout] SET hash = N'other'");
                break;
            case StoreErrorKind.Unknown:
                (_network, settings.ConnectionString) = await ServerNetwork.PutBeforeAsync(settings.ConnectionString);
                return new OpenedProxy(At(settings), () => _network.OnAnswer = static _ => TcpProxy.Verdict.Cut);
            default:
                return null;
        }

        return At(settings);

        SqlServerStorage At(SqlConnectionStringBuilder there) => new(_schema.Options with { ConnectionStrings = [there.ConnectionString] }, time);
    }

    protected override async Task<IAsyncDisposable?> HoldKeyAsync(StoreClient store, string key) =>
        await OtherSession.LockAsync(_schema, key);

    protected override async Task<bool> RefuseKeyAsync(StoreClient store, string key)
    {
        await _schema.RowsAsync(
            "CREATE TRIGGER [stout].[by_hand] ON [stout].[header] AFTER UPDATE AS "
            + $"IF EXISTS (SELECT 1 FROM inserted WHERE [key] = 0x{OtherSession.Hex(key)}) THROW 50001, 'No.', 1;");
        return true;
    }

    protected override async Task<bool> DamageKeyAsync(StoreClient store, string key)
    {
        await _schema.RowsAsync("UPDATE [stout].[header] SET stamp = 0x07 WHERE [key] = 0x" + OtherSession.Hex(key));
        return true;
    }

    protected override async Task<bool> NameOtherKeyAsync(StoreClient store, string key, string other)
    {
        await _schema.RowsAsync(
            $"UPDATE [stout].[header] SET long_key = 0x{Convert.ToHexString(LongKeys.StoredOf(new PartitionKey(other))!)} "
            + $"WHERE [key] = 0x{Convert.ToHexString(StoredKey.Of(LongKeys.RowKeyOf(new PartitionKey(key))))}");
        return true;
    }

    private static int PortOfNobody()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    /// <summary>
    /// Calls an action after the store has been opened, so that the network fails from then on. The network can't wait for the first write itself, since it
    /// can't recognize a write in an encrypted connection.
    /// </summary>
    private sealed class OpenedProxy(IStorageProxy inner, Action onOpened) : IStorageProxy
    {
        public StorageCapabilities Capabilities => inner.Capabilities;

        public StorageLimits Limits => inner.Limits;

        public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken)
        {
            var partitions = await inner.OpenAsync(cancellationToken);
            onOpened();
            return partitions;
        }

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
