using Microsoft.Extensions.Time.Testing;
using Microsoft.Extensions.Logging;
using Stout.Diagnostics;
using Stout.Hosting.Tests.Support;
using Stout.Pacing;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Hosting.Tests.Diagnostics;

public sealed class LogTests
{
    private static CancellationToken Test => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Store_that_is_gone_and_comes_back_is_reported_once_each_way()
    {
        var (store, log) = (new FailingStore(5), new RecordingLog());
        await using var client = await OpenAsync(store, log);
        var key = await client.FillAsync(new PartitionKey("a"), cancellationToken: Test);
        key.MarkDirty();
        store.Recover();
        await key.WhenSafeAsync(Test);
        var gone = Assert.Single(log.Of(StoutLogEvents.StoreUnreachable));
        Assert.Equal(LogLevel.Warning, gone.Level);
        Assert.IsType<StoreException>(gone.Error);
        Assert.Contains("after 5 failed requests", Assert.Single(log.Of(StoutLogEvents.StoreRecovered)).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Many_failed_keys_make_one_warning_without_a_key_and_each_is_named_at_debug()
    {
        var (store, log) = (new ControlledStore { Answer = _ => new WriteOutcome(WriteOutcomeKind.Refused) }, new RecordingLog());
        await using var client = await OpenAsync(store, log, new FakeTimeProvider());
        for (var i = 0; i < 20; i++)
        {
            var key = await client.FillAsync(new PartitionKey($"secret {i}"), cancellationToken: Test);
            await Assert.ThrowsAsync<NotAppliedException>(() => key.MarkDirtyAsync(cancellationToken: Test).AsTask());
        }

        Assert.Contains("store_refused", Assert.Single(log.Of(StoutLogEvents.KeysFailed)).Text, StringComparison.Ordinal);
        Assert.Equal(20, log.Of(StoutLogEvents.KeyFailed).Count());
        Assert.All(log.Entries.Where(entry => entry.Text.Contains("secret", StringComparison.Ordinal)), entry => Assert.Equal(LogLevel.Debug, entry.Level));
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)]
    public async Task Transport_that_need_not_be_encrypted_is_warned_of_once(bool isEncrypted, int warnings)
    {
        var log = new RecordingLog();
        await using (var client = await OpenAsync(new OpenTransport(isEncrypted), log))
            await client.FillAsync(new PartitionKey("a"), cancellationToken: Test);

        Assert.Equal(warnings, log.Of(StoutLogEvents.TransportIsOpen).Count());
        Assert.All(log.Of(StoutLogEvents.TransportIsOpen), entry => Assert.Equal(
            (LogLevel.Warning, true), (entry.Level, entry.Text.Contains("connections to the store leave this machine", StringComparison.Ordinal))));
    }

    /// <summary>A store that reports its transport as encrypted or not, as the test wants.</summary>
    private sealed class OpenTransport(bool isEncrypted) : IStorageProxy
    {
        private readonly InMemoryStore _inner = new();

        public StorageCapabilities Capabilities => _inner.Capabilities with { EncryptsTransport = isEncrypted };

        public StorageLimits Limits => _inner.Limits;

        public ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) => _inner.OpenAsync(cancellationToken);

        public ValueTask DisposeAsync() => _inner.DisposeAsync();
    }

    [Fact]
    public async Task Callback_that_throws_is_reported_with_its_error()
    {
        var log = new RecordingLog();
        await using var client = await OpenAsync(new InMemoryStore(), log);
        var key = await client.FillAsync(new PartitionKey("a"), cancellationToken: Test);
        key.SendMessageWhenSafe(0, static (_, _) => throw new FormatException("the service's own"));
        var after = new TaskCompletionSource();
        key.SendMessageWhenSafe(after, static (after, _) => after.SetResult());
        await after.Task;
        Assert.IsType<FormatException>(Assert.Single(log.Of(StoutLogEvents.CallbackThrew)).Error);
    }

    [Fact]
    public async Task Too_much_undurable_is_reported_when_it_begins_and_when_it_ends()
    {
        var (store, log) = (new ControlledStore(), new RecordingLog());
        await using var client = await OpenAsync(store, log, configure: options => options.MaxDirtyKeys = 1);
        var key = await client.FillAsync(new PartitionKey("a"), cancellationToken: Test);
        var hold = store.HoldWrites();
        key.MarkDirty();
        await hold.Arrived;
        Assert.Single(log.Of(StoutLogEvents.OverloadBegun));
        var waiting = key.AdmitAsync(Test).AsTask();
        hold.Release();
        await waiting;
        Assert.Single(log.Of(StoutLogEvents.OverloadEnded));
    }

    [Fact]
    public void Reports_of_like_events_are_ten_seconds_apart_and_lose_none()
    {
        var time = new FakeTimeProvider();
        var pacer = new ReportPacer(time);
        Assert.Equal([1, 0, 0], [pacer.Note(), pacer.Note(), pacer.Note()]);
        time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.Equal(0, pacer.Note());
        time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.Equal([4, 0], [pacer.Note(), pacer.Note()]);
    }

    private static ValueTask<StoutClient> OpenAsync(
        IStorageProxy store, RecordingLog log, TimeProvider? time = null, Action<StoutOptions>? configure = null)
    {
        var options = new StoutOptions { Pacing = PacingLaws.NoBatching(), MinRetryDelay = TimeSpan.FromMilliseconds(1) };
        options.Diagnostics.LoggerFactory = log;
        configure?.Invoke(options);
        return StoutClient.OpenAsync(store, new OneByteEach(), options, time, Test);
    }
}
