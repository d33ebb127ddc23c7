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
        Decisions = meter.CreateCounter<long>(Instruments.Decisions, "{decision}", "Changes of the batching interval.");
        BatchKeys = meter.CreateHistogram<long>(Instruments.BatchKeys, "{key}", "Keys of a write request.", null, Powers(1, 4, 8));
        BatchSize = meter.CreateHistogram<long>(Instruments.BatchSize, "By", "Bytes of the values of a write request.", null, Powers(64, 4, 10));
        RequestDuration = meter.CreateHistogram(
            Instruments.RequestDuration, "s", "From a store request's sending to its answer.", null, Durations);
        KeysFailed = meter.CreateCounter<long>(Instruments.KeysFailed, "{key}", "Keys that have failed.");
        CallersHeldBack = meter.CreateCounter<long>(
            Instruments.CallersHeldBack, "{caller}", "Callers held back or refused because too much was undurable.");
        CallbackErrors = meter.CreateCounter<long>(Instruments.CallbackErrors, "{error}", "Exceptions of message callbacks.");
        SlowCallbacks = meter.CreateCounter<long>(Instruments.SlowCallbacks, "{callback}", "Serialize callbacks that took long.");

        BackgroundFailures = meter.CreateCounter<long>(Instruments.BackgroundFailures, "{failure}", "Failures of background work, such as sweeps.");

        meter.CreateObservableGauge(Instruments.Interval, () => Measure(static now => now.Interval.TotalSeconds), "s", "The batching interval.");
        meter.CreateObservableUpDownCounter(
            Instruments.PacingPhase, () => State(Tags.Phase, static now => TelemetryNames.Of(now.Phase)), "{lane}", "What the pacing law does.");
        meter.CreateObservableUpDownCounter(
            Instruments.PacingLimit, () => State(Tags.Limit, static now => TelemetryNames.Of(now.Limit)), "{lane}", "What kept the last batch from leaving earlier.");
        meter.CreateObservableGauge(
            Instruments.OldestChangeAge, () => Measure(static now => now.OldestUndurableAge.TotalSeconds), "s", "Age of the oldest change that is not durable.");
        Count(Instruments.Changes, "{change}", "Marks.", static now => now.Changes);
        Count(Instruments.KeysWritten, "{key}", "Keys written.", static now => now.KeysWritten);
        Count(Instruments.BytesWritten, "By", "Bytes of the values written.", static now => now.BytesWritten);
        Count(Instruments.KeysRead, "{key}", "Keys read.", static now => now.KeysRead);
        Count(Instruments.MessagesReleased, "{message}", "Messages released because their state was durable.", static now => now.MessagesReleased);
        Level(Instruments.MessagesWaiting, "{message}", "Messages that wait for a change to become durable.", static now => now.WaitingMessages);
        Level(Instruments.KeysDirty, "{key}", "Keys with a change that is not durable yet.", static now => now.DirtyKeys);
        Level(Instruments.KeysOpen, "{key}", "Handles that work.", static now => now.OpenKeys);
        Level(Instruments.RequestsInFlight, "{request}", "Write requests under way.", static now => now.RequestsInFlight);

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

    private IEnumerable<Measurement<long>> State(string tag, Func<StoutStatistics, string> name)
    {
        foreach (var lane in _lanes)
            yield return new Measurement<long>(1, [.. lane.Tags, new(tag, name(lane.Statistics))]);
    }

    private static InstrumentAdvice<long> Powers(long first, long factor, int count)
    {
        var boundaries = new long[count];
        for (var i = 0; i < count; i++, first *= factor)
            boundaries[i] = first;
        return new InstrumentAdvice<long> { HistogramBucketBoundaries = boundaries };
    }
}
