using Npgsql;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>The opening of connections when many requests need one at the same time.</summary>
public sealed class OpeningTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private readonly TestSchema _schema = new(database);
    private readonly TaskCompletionSource _mayGoOn = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isCounted;
    private bool _fails;
    private int _opened;
    private int _opening;
    private int _mostAtOnce;

    [Fact]
    public async Task Requests_that_want_a_connection_at_once_open_one_after_another()
    {
        await using var store = await OpenAsync();

        Assert.All(await WriteAtOnceAsync(store), outcome => Assert.Equal(WriteOutcomeKind.Committed, outcome.Kind));

        Assert.Equal(1, _mostAtOnce);
    }

    [Fact]
    public async Task And_share_its_failure_for_each_would_wait_as_long_for_its_own()
    {
        await using var store = await OpenAsync();
        _fails = true;

        Assert.All(await WriteAtOnceAsync(store), outcome => Assert.Equal(WriteOutcomeKind.Unreachable, outcome.Kind));

        Assert.Equal(1, _opened);
        _fails = false;
        _schema.Time.Advance(TimeSpan.FromMilliseconds(500)); // Ends the breaker's pause. After a longer time the sweeper would try the store first.
        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(store.NewWrite("key", Stamp.Absent), Part("", "value"))).Kind);
    }

    private async Task<StoreClient> OpenAsync()
    {
        await (await _schema.OpenAsync()).DisposeAsync();
        var settings = new NpgsqlConnectionStringBuilder(database.ConnectionString);
        var password = settings.Password!;
        (settings.Password, settings.SslMode, settings.GssEncryptionMode) = (null, SslMode.Disable, GssEncryptionMode.Disable); // No first attempt with encryption.
        _schema.Options = _schema.Options with
        {
            ConnectionStrings = [settings.ConnectionString],
            ConfigureDataSource = source => source.UsePasswordProvider(_ => password, async (_, _) => await PasswordAsync(password)),
        };
        var store = await _schema.OpenAsync();
        _isCounted = true;
        return store;
    }

    private async Task<WriteOutcome[]> WriteAtOnceAsync(StoreClient store)
    {
        var writes = Enumerable.Range(0, 10).Select(i => store.WriteAsync(store.NewWrite($"key {i}", Stamp.Absent), Part("", "value"))).ToList();
        // Opening as many other connections gives the store the time in which it could have opened several of its own.
        await Task.WhenAll(Enumerable.Range(0, 10).Select(_ => database.ExecuteAsync("SELECT 1")));
        _mayGoOn.TrySetResult();
        return await Task.WhenAll(writes);
    }

    private async ValueTask<string> PasswordAsync(string password)
    {
        if (!_isCounted)
            return password;
        _opened++;
        _mostAtOnce = Math.Max(_mostAtOnce, Interlocked.Increment(ref _opening));
        await _mayGoOn.Task;
        Interlocked.Decrement(ref _opening);
        return _fails ? throw new IOException("No password today.") : password;
    }
}
