using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using static Stout.Diagnostics.StoutTelemetry;

namespace Stout.Diagnostics;

/// <summary>
/// The instruments of one meter, shared by all clients with the same meter factory. Observable instruments read the lanes' own counters when metrics
/// are collected, so they cost the lanes nothing.
/// </summary>
internal sealed class StoutMeter
{
    private static readonly Meter Shared = new(Options);
    private static readonly ConditionalWeakTable<Meter, StoutMeter> Known = [];

    private readonly Lock _lock = new();
    private volatile LaneTelemetry[] _lanes = [];

    private StoutMeter(Meter meter)
    {
        Decisions = meter.CreateCounter<long>(Instruments.Decisions, "{decision}", "Times that the pacing law made the batching interval longer or shorter.");
        BatchKeys = meter.CreateHistogram<long>(Instruments.BatchKeys, "{key}", "Keys in one write request to the store.", null, Powers(1, 4, 8));
        BatchSize = meter.CreateHistogram<long>(Instruments.BatchSize, "By", "Bytes of the values in one write request to the store.", null, Powers(64, 4, 10));
        RequestDuration = meter.CreateHistogram(
            Instruments.RequestDuration, "s", "Time from sending a request to the store to its answer.", null, Durations);
        KeysFailed = meter.CreateCounter<long>(Instruments.KeysFailed, "{key}", "Keys whose changes or reads failed; their callers got an error.");
        CallersHeldBack = meter.CreateCounter<long>(
            Instruments.CallersHeldBack, "{caller}", "Callers that had to wait or were refused, since too many changes were not durable yet.");
        CallbackErrors = meter.CreateCounter<long>(Instruments.CallbackErrors, "{error}", "Exceptions that the application's message callbacks threw.");
        SlowCallbacks = meter.CreateCounter<long>(Instruments.SlowCallbacks, "{callback}", "Serialize callbacks of the application that were slow, or exceeded their time limit.");
        BackgroundFailures = meter.CreateCounter<long>(Instruments.BackgroundFailures, "{failure}", "Failures of background work, such as sweeps.");

        meter.CreateObservableGauge(Instruments.Interval, () => Measure(static now => now.Interval.TotalSeconds), "s", "The least time between two batches of a lane.");
        meter.CreateObservableUpDownCounter(
            Instruments.PacingPhase, () => States(Tags.Phase, static now => now.Phase, TelemetryNames.Of), "{lane}", "1 for the current phase of the pacing law, 0 for the others.");
        meter.CreateObservableUpDownCounter(
            Instruments.PacingLimit, () => States(Tags.Limit, static now => now.Limit, TelemetryNames.Of), "{lane}", "1 for the reason that delayed the last batch, 0 for the others.");
        meter.CreateObservableGauge(
            Instruments.OldestChangeAge, () => Measure(static now => now.OldestUndurableAge.TotalSeconds), "s", "Age of the oldest change that is not durable yet; 0 if every change is durable.");
        Count(Instruments.Changes, "{change}", "Changes that callers requested; changes of one key may share a write.", static now => now.Changes);
        Count(Instruments.KeysWritten, "{key}", "Keys written to the store.", static now => now.KeysWritten);
        Count(Instruments.BytesWritten, "By", "Bytes of the values written to the store.", static now => now.BytesWritten);
        Count(Instruments.KeysRead, "{key}", "Keys read from the store.", static now => now.KeysRead);
        Count(Instruments.MessagesReleased, "{message}", "Messages to callers that were released, since the state that they tell was durable.", static now => now.MessagesReleased);
        Level(Instruments.MessagesWaiting, "{message}", "Messages to callers that wait for a change to become durable.", static now => now.WaitingMessages);
        Level(Instruments.KeysDirty, "{key}", "Keys with a change that is not durable yet.", static now => now.DirtyKeys);
        Level(Instruments.KeysOpen, "{key}", "Keys in memory.", static now => now.OpenKeys);
        Level(Instruments.RequestsInFlight, "{request}", "Write requests that the store has not answered yet.", static now => now.RequestsInFlight);

        void Count(string name, string unit, string description, Func<StoutStatistics, long> what) =>
            meter.CreateObservableCounter(name, () => Measure(what), unit, description);

        void Level(string name, string unit, string description, Func<StoutStatistics, long> what) =>
            meter.CreateObservableUpDownCounter(name, () => Measure(what), unit, description);
    }

    public Counter<long> Decisions { get; }

    public Histogram<long> BatchKeys { get; }

    public Histogram<long> BatchSize { get; }

    public Histogram<double> RequestDuration { get; }

    public Counter<long> KeysFailed { get; }

    public Counter<long> CallersHeldBack { get; }

    public Counter<long> CallbackErrors { get; }

    public Counter<long> SlowCallbacks { get; }

    public Counter<long> BackgroundFailures { get; }

    private static MeterOptions Options => new(MeterName) { Version = typeof(StoutMeter).Assembly.GetName().Version?.ToString(3) };

    // OpenTelemetry's boundaries for durations, with finer ones below a millisecond: a local store is faster than a network.
    private static InstrumentAdvice<double> Durations => new()
    {
        HistogramBucketBoundaries = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    };

    /// <summary>
    /// Returns the instruments of a factory's meter, or of the process-wide meter. A factory returns the same meter for the same name.
    /// </summary>
    public static StoutMeter Of(IMeterFactory? factory) =>
        Known.GetValue(factory?.Create(Options) ?? Shared, static meter => new StoutMeter(meter));

    /// <summary>Adds a lane to the observable instruments until <see cref="Remove"/>.</summary>
    public void Add(LaneTelemetry lane)
    {
        lock (_lock)
            _lanes = [.. _lanes, lane];
    }

    public void Remove(LaneTelemetry lane)
    {
        lock (_lock)
            _lanes = [.. _lanes.Where(other => other != lane)];
    }

    private IEnumerable<Measurement<T>> Measure<T>(Func<StoutStatistics, T> what)
        where T : struct
    {
        foreach (var lane in _lanes)
            yield return new Measurement<T>(what(lane.Statistics), lane.Tags);
    }

    // Each value gets a measurement, since a series that only stopped would keep its last 1 for minutes.
    private IEnumerable<Measurement<long>> States<T>(string tag, Func<StoutStatistics, T> what, Func<T, string> name)
        where T : struct, Enum
    {
        foreach (var lane in _lanes)
        {
            var current = what(lane.Statistics);
            foreach (var value in Enum.GetValues<T>())
                yield return new Measurement<long>(EqualityComparer<T>.Default.Equals(value, current) ? 1 : 0, [.. lane.Tags, new(tag, name(value))]);
        }
    }

    private static InstrumentAdvice<long> Powers(long first, long factor, int count)
    {
        var boundaries = new long[count];
        for (var i = 0; i < count; i++, first *= factor)
            boundaries[i] = first;
        return new InstrumentAdvice<long> { HistogramBucketBoundaries = boundaries };
    }
}
