using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Stout.PostgreSql.Tests;

/// <summary>Keeps the ids of the package's events, and completes a task at the first warning of any category.</summary>
internal sealed class EventLog : ILoggerFactory, ILoggerProvider
{
    private readonly ConcurrentQueue<int> _ids = [];
    private readonly TaskCompletionSource _warned = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The ids of the events of the category "Stout.PostgreSql".</summary>
    public IReadOnlyCollection<int> Ids => _ids;

    /// <summary>Completes when a warning is logged.</summary>
    public Task Warned => _warned.Task;

    public ILogger CreateLogger(string categoryName) => new Log(this, isOwn: categoryName == "Stout.PostgreSql");

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public void Dispose()
    {
    }

    private sealed class Log(EventLog log, bool isOwn) : ILogger
    {
        public bool IsEnabled(LogLevel logLevel) => true;

        void ILogger.Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (isOwn)
                log._ids.Enqueue(eventId.Id);
            if (logLevel == LogLevel.Warning)
                log._warned.TrySetResult();
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;
    }
}
