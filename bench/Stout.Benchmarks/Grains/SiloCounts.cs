using System.Diagnostics.Metrics;
using Stout.Orleans.Diagnostics;

namespace Stout.Benchmarks.Grains;

/// <summary>Counts the calls that a silo process makes, and the states that it claims and resumes.</summary>
internal sealed class SiloCounts : IDisposable
{
    private readonly MeterListener _meters = new();
    private long _claims;
    private long _resumes;

    public SiloCounts()
    {
        _meters.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name is StoutOrleansMeter.Claims or StoutOrleansMeter.Resumes)
                listener.EnableMeasurementEvents(instrument);
        };
        _meters.SetMeasurementEventCallback<long>((instrument, value, _, _) => Interlocked.Add(ref instrument.Name == StoutOrleansMeter.Claims ? ref _claims : ref _resumes, value));
        _meters.Start();
    }

    /// <summary>The calls that the silo makes.</summary>
    public Callers Calls { get; } = new(RollingCell.CallersOfSilo, RollingCell.Grains);

    /// <summary>The counts since the last call.</summary>
    public CallFigures Take()
    {
        var (calls, failed, p99) = Calls.Take();
        return new CallFigures(calls, failed, Interlocked.Exchange(ref _claims, 0), Interlocked.Exchange(ref _resumes, 0), p99);
    }

    public void Dispose() => _meters.Dispose();
}
