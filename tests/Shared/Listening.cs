using System.Diagnostics.Metrics;

namespace Stout.Tests;

/// <summary>A meter factory for a single test, with the measurements of its meter.</summary>
internal sealed class Listening : IMeterFactory
{
    private readonly Meter _meter = new("Stout");
    private readonly MeterListener _listener = new();
    private readonly Lock _lock = new();
    private readonly List<(string Instrument, double Value, Dictionary<string, object?> Tags)> _measured = [];

    public Listening()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter == _meter)
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Note(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Note(instrument, value, tags));
        _listener.Start();
    }

    public Meter Create(MeterOptions options) => _meter;

    /// <summary>The current values of observable instruments.</summary>
    public List<double> Observe(string instrument)
    {
        lock (_lock)
            _measured.RemoveAll(measured => measured.Instrument == instrument);
        _listener.RecordObservableInstruments();
        return Values(instrument);
    }

    public List<double> Values(string instrument, string? tag = null, string? value = null)
    {
        lock (_lock)
        {
            return [.. _measured
                .Where(measured => measured.Instrument == instrument && (tag is null || Equals(measured.Tags.GetValueOrDefault(tag), value)))
                .Select(measured => measured.Value)];
        }
    }

    public void Dispose()
    {
        _listener.Dispose();
        _meter.Dispose();
    }

    private void Note(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        lock (_lock)
            _measured.Add((instrument.Name, value, tags.ToArray().ToDictionary()));
    }
}
