using Microsoft.Extensions.Time.Testing;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Stout.Cosmos.Diagnostics;
using Stout.Cosmos.Tests.StandIn;
using Stout.Diagnostics;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Cosmos.Tests;

/// <summary>Reports of request units, and of partitions that become full.</summary>
public sealed class RequestUnitTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly StandInStore _store;

    public RequestUnitTests() => _store = new StandInStore(_time);

    [Fact]
    public async Task Request_units_of_every_request_are_counted_and_measured_by_operation()
    {
        var name = $"{Guid.NewGuid()}";
        var measured = new List<(double Charge, string Operation, int Partition)>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, meter) =>
        {
            if (instrument.Meter.Name == StoutTelemetry.MeterName && instrument.Name == CosmosTelemetry.RequestCharge)
                meter.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<double>((_, charge, tags, _) =>
        {
            var values = tags.ToArray().ToDictionary(tag => tag.Key, tag => tag.Value);
            if (!name.Equals(values[StoutTelemetry.Tags.Client]))
                return;
            lock (measured)
                measured.Add((charge, (string)values[StoutTelemetry.Tags.Operation]!, (int)values[StoutTelemetry.Tags.Partition]!));
        });
        listener.Start();
        var proxy = StandInStorage.Connect(_store, _time, diagnostics: new StoutDiagnostics { ClientName = name });
        await using var store = await StoreClient.OpenAsync(proxy);
        await store.Proxy.RestAsync();
        measured.Clear();
        var before = proxy.RequestUnits;

        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        await store.PutAsync("key", stamp, parts: [Part("a", "2")]);
        await store.ReadAsync("key");
        _time.Advance(TimeSpan.FromMinutes(2));
        await store.Proxy.RestAsync();

        string[] expected = ["write", "write", "write", "read", "read", "sweep"];
        Assert.Equal(expected.Select(operation => (Answers.Charge, operation, 0)), measured);
        Assert.Equal(expected.Length * Answers.Charge, proxy.RequestUnits - before);
    }

    [Fact]
    public async Task Exception_of_a_listener_changes_no_outcome()
    {
        var name = $"{Guid.NewGuid()}";
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, meter) =>
        {
            if (instrument.Meter.Name == StoutTelemetry.MeterName && instrument.Name == CosmosTelemetry.RequestCharge)
                meter.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<double>((_, _, tags, _) =>
        {
            foreach (var tag in tags)
            {
                if (name.Equals(tag.Value))
                    throw new InvalidOperationException("planted");
            }
        });
        listener.Start();
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time, diagnostics: new StoutDiagnostics { ClientName = name }));

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(store.NewWrite("key", Stamp.Absent), Part("", "1"))).Kind);
    }

    [Theory]
    [InlineData(13, false)]
    [InlineData(15, true)]
    public async Task Partitions_that_become_full_are_warned_of_before(int gigabytes, bool isWarned)
    {
        using var log = new WarningLog();
        _store.Kilobytes = 3L * gigabytes * 1024 * 1024;
        await using var store = StandInStorage.Connect(_store, _time, partitions: 3, diagnostics: new StoutDiagnostics { LoggerFactory = log });
        await store.OpenAsync(TestContext.Current.CancellationToken);
        await LookAsync(store);
        Assert.Equal(isWarned ? 1 : 0, log.Warnings.Count);

        _time.Advance(TimeSpan.FromHours(1));
        await LookAsync(store);

        Assert.Equal(isWarned ? 2 : 0, log.Warnings.Count);
        Assert.All(log.Warnings, text => Assert.Contains($"{gigabytes}.0 GB", text, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Store_that_does_not_tell_its_size_is_asked_again()
    {
        using var log = new WarningLog();
        await using var store = StandInStorage.Connect(_store, _time, diagnostics: new StoutDiagnostics { LoggerFactory = log });
        await store.OpenAsync(TestContext.Current.CancellationToken);
        await LookAsync(store);
        _store.OnRequest = _ => new Trouble();
        _time.Advance(TimeSpan.FromHours(1));
        await LookAsync(store);
        _store.OnRequest = null;
        _store.Kilobytes = 19L * 1024 * 1024;

        _time.Advance(TimeSpan.FromHours(1));
        await LookAsync(store);

        Assert.Single(log.Warnings);
    }

    private async Task LookAsync(CosmosStorage store)
    {
        _time.Advance(TimeSpan.Zero);
        await store.RestAsync();
    }

    private sealed class WarningLog : ILoggerFactory, ILogger
    {
        public List<string> Warnings { get; } = [];

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (logLevel == LogLevel.Warning && eventId.Id == CosmosTelemetry.PartitionsFillUp)
                Warnings.Add(formatter(state, exception));
        }

        public void AddProvider(ILoggerProvider provider)
        {
        }

        public void Dispose()
        {
        }
    }
}
