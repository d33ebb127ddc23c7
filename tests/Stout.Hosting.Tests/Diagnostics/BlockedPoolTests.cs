using Microsoft.Extensions.Logging;
using Stout.Diagnostics;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Storage;

namespace Stout.Hosting.Tests.Diagnostics;

/// <summary>An application that blocks the thread pool is told so. Run alone, since the test blocks the thread pool.</summary>
[Collection(nameof(Alone))]
public sealed class BlockedPoolTests
{
    [Fact]
    public async Task Pool_whose_threads_are_all_blocked_is_reported_meanwhile()
    {
        using var log = new AwaitedLog(StoutLogEvents.ThreadPoolBusy);
        await using var documents = await DocumentStore.OpenAsync(
            new InMemoryStore(), new DocumentStoreOptions { Stout = new() { Diagnostics = new() { LoggerFactory = log } } }, cancellationToken: TestContext.Current.CancellationToken);

        // The limit only ends a test that would fail.
        var isReported = await BlockedPool.OnOwnThread(() =>
        {
            using var pool = new BlockedPool(isRefilled: true);
            return log.Wait(TimeSpan.FromSeconds(60));
        });

        Assert.True(isReported);
        Assert.Equal(LogLevel.Warning, log.Level);
        Assert.Matches("waited for [0-9]+ s .* [0-9]+ threads and [0-9]+ queued items", log.Text);
    }

    private sealed class AwaitedLog(int id) : ILoggerFactory, ILogger
    {
        private readonly ManualResetEventSlim _isWritten = new();

        public LogLevel Level { get; private set; }

        public string Text { get; private set; } = "";

        public bool Wait(TimeSpan limit) => _isWritten.Wait(limit);

        public ILogger CreateLogger(string categoryName) => this;

        public void AddProvider(ILoggerProvider provider)
        {
        }

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (eventId.Id != id || _isWritten.IsSet)
                return;
            (Level, Text) = (logLevel, formatter(state, exception));
            _isWritten.Set();
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public void Dispose()
        {
        }
    }
}
