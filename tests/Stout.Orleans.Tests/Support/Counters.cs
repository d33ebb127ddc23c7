using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Stout.Orleans.Diagnostics;

namespace Stout.Orleans.Tests;

/// <summary>Sums the counters of the meter <see cref="StoutOrleansMeter"/> over all providers, from the construction of this object on.</summary>
internal sealed class Counters : IDisposable
{
    private readonly ConcurrentDictionary<string, long> _sums = new();
    private readonly MeterListener _listener = new();

    public Counters()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == StoutOrleansMeter.Name)
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => _sums.AddOrUpdate(instrument.Name, value, (_, sum) => sum + value));
        _listener.Start();
    }

    public long this[string counter] => _sums.GetValueOrDefault(counter);

    public void Dispose() => _listener.Dispose();
}
