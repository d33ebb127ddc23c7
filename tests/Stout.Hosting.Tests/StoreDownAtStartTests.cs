using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Time.Testing;
using Stout.Diagnostics;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Storage;

namespace Stout.Hosting.Tests;

/// <summary>If the store is down when the host starts, the host waits for it, as a running service does.</summary>
public sealed class StoreDownAtStartTests
{
    private static CancellationToken Test => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(StoreErrorKind.Unreachable)]
    [InlineData(StoreErrorKind.Overloaded)]
    [InlineData(StoreErrorKind.Unknown)]
    [InlineData(StoreErrorKind.Locked)]
    public async Task Start_waits_and_is_not_healthy_meanwhile(StoreErrorKind kind)
    {
        var (stores, time, log) = (new Stores(kind, failures: 3), new WatchedTime(), new RecordingLog());
        using var host = Build(stores, time, log);
        var start = host.StartAsync(Test);
        for (var attempt = 1; attempt <= 3; attempt++)
        {
            await time.Waiting;
            Assert.Equal(attempt, stores.Opened);
            Assert.False(start.IsCompleted);
            Assert.Equal(HealthStatus.Unhealthy, (await CheckAsync(host)).Status);
            time.Pass();
        }

        await start;
        Assert.Equal((4, 3), (stores.Opened, stores.Disposed));
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(host)).Status);
        Assert.Equal("text", await host.Services.GetRequiredService<DocumentCollection<string>>().UpdateAsync("a", _ => "text", Test));
        Assert.Equal(kind, Assert.IsType<StoreException>(Assert.Single(log.Of(StoutLogEvents.StoreNotOpen)).Error).Kind);
        await host.StopAsync(Test);
    }

    [Fact]
    public async Task Start_fails_with_the_last_error_after_the_time_of_the_option()
    {
        var (stores, time) = (new Stores(StoreErrorKind.Unreachable, failures: int.MaxValue), new WatchedTime());
        using var host = Build(stores, time, new RecordingLog(), ("Stout:WaitAtStart", "00:00:10"));
        var began = time.GetTimestamp();
        var start = host.StartAsync(Test);
        while (await Task.WhenAny(start, time.Waiting) != start)
            time.Pass();
        Assert.InRange(time.GetElapsedTime(began), TimeSpan.FromSeconds(8), TimeSpan.FromSeconds(10));
        var error = await Assert.ThrowsAsync<StoreException>(() => start);
        Assert.Equal("The store could not be opened for as long as WaitAtStart allows; the last attempt: Nobody there.", error.Message);
        Assert.Equal(StoreErrorKind.Unreachable, error.Kind);
        Assert.Equal("Nobody there.", Assert.IsType<StoreException>(error.InnerException).Message);
        // The waits between attempts grow up to 1 s.
        Assert.InRange(stores.Opened, 10, 25);
    }

    [Fact]
    public async Task Start_waits_for_as_long_as_the_store_asks_for()
    {
        var (stores, time) = (new Stores(StoreErrorKind.Overloaded, failures: 1, TimeSpan.FromSeconds(7)), new WatchedTime());
        using var host = Build(stores, time, new RecordingLog());
        var start = host.StartAsync(Test);
        await time.Waiting;
        var wait = time.Due;
        time.Pass();
        await start;
        await host.StopAsync(Test);
        Assert.InRange(wait, TimeSpan.FromSeconds(7), TimeSpan.FromSeconds(30));
    }

    [Theory]
    [InlineData(StoreErrorKind.Unreachable, "00:00:00")]
    [InlineData(StoreErrorKind.Refused, "00:00:10")]
    [InlineData(StoreErrorKind.LayoutMismatch, "00:00:10")]
    [InlineData(StoreErrorKind.Full, "00:00:10")]
    [InlineData(StoreErrorKind.Corrupt, "00:00:10")]
    public async Task Start_does_not_wait_where_waiting_does_not_help(StoreErrorKind kind, string wait)
    {
        var (stores, time) = (new Stores(kind, failures: 1), new WatchedTime());
        using var host = Build(stores, time, new RecordingLog(), ("Stout:WaitAtStart", wait));
        using var cancel = new CancellationTokenSource();
        var start = host.StartAsync(cancel.Token);
        var first = await Task.WhenAny(start, time.Waiting);
        await cancel.CancelAsync(); // The host's disposal would wait for a start that waits.
        Assert.Same(start, first);
        Assert.Equal("Nobody there.", (await Assert.ThrowsAsync<StoreException>(() => start)).Message);
        Assert.Equal(1, stores.Opened);
    }

    [Fact]
    public async Task Start_that_is_given_up_stops_waiting()
    {
        var (stores, time) = (new Stores(StoreErrorKind.Unreachable, failures: int.MaxValue), new WatchedTime());
        using var host = Build(stores, time, new RecordingLog());
        using var cancel = new CancellationTokenSource();
        var start = host.StartAsync(cancel.Token);
        await time.Waiting;
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => start);
    }

    private static IHost Build(Stores stores, WatchedTime time, RecordingLog log, params (string Key, string Value)[] settings) => TestHost.Build(
        services =>
        {
            services.AddSingleton<TimeProvider>(time);
            services.AddStout().UseStore(_ => stores.Make()).AddCollection<string>("notes");
            services.AddHealthChecks().AddStout();
        },
        log,
        settings);

    private static async Task<HealthReportEntry> CheckAsync(IHost host) =>
        (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Test)).Entries["stout"];

    /// <summary>Proxies of one store, of which the first ones can't be opened.</summary>
    private sealed class Stores(StoreErrorKind kind, int failures, TimeSpan? retryAfter = null)
    {
        public int Opened { get; private set; }

        public int Disposed { get; private set; }

        public IStorageProxy Make() => new Store(this);

        private sealed class Store(Stores stores) : IStorageProxy
        {
            private readonly InMemoryStore _inner = new();

            public StorageCapabilities Capabilities => _inner.Capabilities;

            public StorageLimits Limits => _inner.Limits;

            public ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) =>
                stores.Opened++ < stores.Failing ? throw new StoreException(stores.Kind, "Nobody there.") { RetryAfter = stores.RetryAfter } : _inner.OpenAsync(cancellationToken);

            public ValueTask DisposeAsync()
            {
                stores.Disposed++;
                return _inner.DisposeAsync();
            }
        }

        private StoreErrorKind Kind => kind;

        private int Failing => failures;

        private TimeSpan? RetryAfter => retryAfter;
    }

    /// <summary>A clock that tells when a wait has begun, and ends it on demand.</summary>
    private sealed class WatchedTime : FakeTimeProvider
    {
        private volatile TaskCompletionSource _waiting = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private TimeSpan _due;

        public Task Waiting => _waiting.Task;

        public TimeSpan Due => _due;

        public void Pass()
        {
            _waiting = new(TaskCreationOptions.RunContinuationsAsynchronously);
            Advance(_due);
        }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            var timer = base.CreateTimer(callback, state, dueTime, period);
            if (dueTime > TimeSpan.Zero)
            {
                _due = dueTime;
                _waiting.TrySetResult();
            }

            return timer;
        }
    }
}
