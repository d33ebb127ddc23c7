using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Stout.Orleans.Diagnostics;

namespace Stout.Orleans.Tests;

/// <summary>Sums the counters of the meter <see cref="StoutOrleansMeter"/> over all providers, from the construction of this object on.</summary>
internal sealed class Counters : IDisposable
{
    private readonly ConcurrentDictionary<string, long> _sums = new();
    private readonly ConcurrentDictionary<string, TaskCompletionSource> _awaited = new();
    private readonly MeterListener _listener = new();

    public Counters()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == StoutOrleansMeter.Name)
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            Add(instrument.Name, value);
            foreach (var (tag, label) in tags)
            {
                if (tag == StoutOrleansMeter.OutcomeTag)
                    Add($"{instrument.Name}:{label}", value);
            }
        });
        _listener.Start();
    }

    public long this[string counter] => _sums.GetValueOrDefault(counter);

    /// <summary>The grains that were handed over, let go and stopped cold.</summary>
    public (long HandedOver, long LetGo, long Cold) HandOvers => (HandedOver("handed_over"), HandedOver("let_go"), HandedOver("cold"));

    private long HandedOver(string outcome) => this[$"{StoutOrleansMeter.HandOvers}:{outcome}"];

    /// <summary>Completes when a counter grows.</summary>
    public Task WhenCounted(string counter) =>
        _awaited.GetOrAdd(counter, static _ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task.WaitAsync(TimeSpan.FromMinutes(1));

    private void Add(string counter, long value)
    {
        _sums.AddOrUpdate(counter, value, (_, sum) => sum + value);
        if (_awaited.TryGetValue(counter, out var awaited))
            awaited.TrySetResult();
    }

    public void Dispose() => _listener.Dispose();
}
