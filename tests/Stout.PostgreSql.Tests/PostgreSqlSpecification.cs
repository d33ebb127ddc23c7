using System.Net;
using System.Net.Sockets;
using Npgsql;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;

namespace Stout.PostgreSql.Tests;

/// <summary>The specification on a real server.</summary>
public abstract class PostgreSqlSpecificationBase(TestDatabases databases) : StorageProxySpecification
{
    private readonly string _schema = databases.NewSchema();

    private protected PostgreSqlOptions Options => new() { ConnectionStrings = [.. databases.ConnectionStrings], Schema = _schema };

    /// <summary>Few operations, since each one is a round trip. <see cref="ModelTests"/> has the long run.</summary>
    protected override int RandomOperations => 1_500;

    private protected string Quoted => Sessions.SessionSettings.Quote(Options.Schema);

    protected override IStorageProxy Connect(TimeProvider time) => new PostgreSqlStorage(Options, time);

    protected override IStorageProxy? ConnectSweeping(TimeProvider time, StoreSweepOptions sweeping) => new PostgreSqlStorage(Options with { Sweeping = sweeping }, time);

    protected override async Task<int?> CountRowsAsync()
    {
        var rows = 0L;
        foreach (var database in databases.ConnectionStrings)
            rows += (long)(await TestDatabases.ExecuteOnAsync(database, $"SELECT (SELECT count(*) FROM {Quoted}.header) + (SELECT count(*) FROM {Quoted}.part)"))!;
        return (int)rows;
    }

    // The store takes the age of a header from the server's clock, so the deletion times are set back.
    protected override async Task AgeAsync(TimeSpan time)
    {
        await base.AgeAsync(time);
        foreach (var database in databases.ConnectionStrings)
            await TestDatabases.ExecuteOnAsync(database, $"UPDATE {Quoted}.header SET deleted_at = deleted_at - interval '{time.TotalSeconds} s'");
    }

    protected override async Task<bool> FailSweepsAsync(bool fails)
    {
        foreach (var database in databases.ConnectionStrings)
        {
            await TestDatabases.ExecuteOnAsync(database, fails
                ? $"""
                  CREATE FUNCTION {Quoted}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE insufficient_privilege; END $$;
                  CREATE TRIGGER refusal BEFORE DELETE ON {Quoted}.garbage EXECUTE FUNCTION {Quoted}.refuse()
                  """
                : $"DROP TRIGGER refusal ON {Quoted}.garbage");
        }

        return true;
    }

    protected override async Task<bool> BreakSetUpAsync()
    {
        foreach (var database in databases.ConnectionStrings)
            await TestDatabases.ExecuteOnAsync(database, $"UPDATE {Quoted}.identity SET ready = false");
        if (databases.ConnectionStrings.Count > 1)
            await TestDatabases.ExecuteOnAsync(databases.ConnectionStrings[^1], $"UPDATE {Quoted}.identity SET set_id = NULL, partition = NULL, partitions = NULL, hash = NULL");
        return true;
    }

    protected override async Task<IAsyncDisposable?> HoldKeyAsync(StoreClient store, string key) =>
        await HeldRows.HoldAsync(databases.ConnectionString, $"SELECT FROM {Quoted}.header WHERE key = convert_to('{key}', 'UTF8') FOR UPDATE");

    protected override async Task<bool> RefuseKeyAsync(StoreClient store, string key)
    {
        await databases.ExecuteAsync(
            $"""
            CREATE FUNCTION {Quoted}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN IF NEW.key = convert_to('{key}', 'UTF8') THEN RAISE 'refused'; END IF; RETURN NEW; END $$;
            CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {Quoted}.header FOR EACH ROW EXECUTE FUNCTION {Quoted}.refuse()
            """);
        return true;
    }

    protected override async Task<bool> DamageKeyAsync(StoreClient store, string key)
    {
        await databases.ExecuteAsync($"UPDATE {Quoted}.header SET stamp = '\x0102' WHERE key = convert_to('{key}', 'UTF8')");
        return true;
    }

    protected override async Task<bool> NameOtherKeyAsync(StoreClient store, string key, string other)
    {
        var rowKey = LongKeys.RowKeyOf(new PartitionKey(key));
        foreach (var database in databases.ConnectionStrings)
        {
            await TestDatabases.ExecuteOnAsync(
                database, $"UPDATE {Quoted}.header SET long_key = convert_to('{other}', 'UTF8') WHERE key = convert_to('{rowKey}', 'UTF8')");
        }

        return true;
    }
}

/// <summary>A store of three databases keeps the promises of the specification.</summary>
public sealed class PostgreSqlSetSpecification(ThreeDatabases databases) : PostgreSqlSpecificationBase(databases), IClassFixture<ThreeDatabases>
{
    protected override int DuplicatedKeys => 40;
}

/// <summary>A store of one database keeps the promises of the specification, and reports each kind of trouble.</summary>
public sealed class PostgreSqlSpecification(TestDatabase database) : PostgreSqlSpecificationBase(database), IClassFixture<TestDatabase>, IAsyncDisposable
{
    private string? _role;
    private TcpProxy? _network;

    public async ValueTask DisposeAsync()
    {
        if (_role is not null)
            await database.ExecuteAsync($"DROP ROLE {_role}");
        if (_network is not null)
            await _network.DisposeAsync();
    }

    protected override async Task<IStorageProxy?> ConnectInTroubleAsync(StoreErrorKind trouble, TimeProvider time)
    {
        var settings = new NpgsqlConnectionStringBuilder(database.ConnectionString);
        switch (trouble)
        {
            case StoreErrorKind.Unreachable:
                settings.Port = FreePort();
                break;
            case StoreErrorKind.Refused:
                settings.Password = "wrong";
                break;
            case StoreErrorKind.Overloaded:
                _role = $"role_{Guid.NewGuid():N}";
                (settings.Username, settings.Password) = (_role, "s3cr3t");
                await database.ExecuteAsync($"CREATE ROLE {_role} LOGIN PASSWORD 's3cr3t' CONNECTION LIMIT 0");
                break;
            case StoreErrorKind.LayoutMismatch:
                await database.ExecuteAsync($"CREATE SCHEMA {Quoted}; CREATE TABLE {Quoted}.header (diary text)");
                break;
            case StoreErrorKind.Unknown:
                await (await OpenAsync()).DisposeAsync();
                _network = new TcpProxy(IPEndPoint.Parse($"{settings.Host}:{settings.Port}"))
                {
                    OnRequest = bytes => bytes.Span.IndexOf("write_batch"u8) < 0 ? TcpProxy.Verdict.Pass : TcpProxy.Verdict.Cut,
                };
                (settings.Host, settings.Port) = ("127.0.0.1", _network.Port);
                break;
            case StoreErrorKind.Busy:
                await PlantAsync(PostgresErrorCodes.LockNotAvailable);
                break;
            case StoreErrorKind.LimitExceeded:
                await PlantAsync(PostgresErrorCodes.QueryCanceled);
                break;
            case StoreErrorKind.Full:
                await PlantAsync(PostgresErrorCodes.DiskFull);
                break;
            case StoreErrorKind.Corrupt:
                await PlantAsync(PostgresErrorCodes.DataCorrupted);
                break;
            default:
                return null;
        }

        return new PostgreSqlStorage(Options with { ConnectionStrings = [settings.ConnectionString] }, time);
    }

    private async Task PlantAsync(string sqlState)
    {
        await (await OpenAsync()).DisposeAsync();
        await PlantedError.PlantAsync(database, Options.Schema, sqlState);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
