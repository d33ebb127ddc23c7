using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Stout.Tests;

/// <summary>Keeps the entries of one category.</summary>
internal sealed class RecordingLog(string category = "Stout") : ILoggerProvider, ILoggerFactory, ILogger
{
    private readonly ConcurrentQueue<LogEntry> _entries = new();

    public IReadOnlyCollection<LogEntry> Entries => _entries;

    public IEnumerable<LogEntry> Of(int id) => _entries.Where(entry => entry.Id == id);

    public ILogger CreateLogger(string categoryName) => categoryName == category ? this : Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        _entries.Enqueue(new LogEntry(eventId.Id, logLevel, formatter(state, exception), exception));

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void Dispose()
    {
    }
}

internal sealed record LogEntry(int Id, LogLevel Level, string Text, Exception? Error);
