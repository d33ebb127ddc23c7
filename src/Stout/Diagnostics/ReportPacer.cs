namespace Stout.Diagnostics;

/// <summary>
/// Limits reports of a repeated event. The first event is reported at once; events of the next ten seconds are counted into the following report.
/// Thread-safe.
/// </summary>
internal sealed class ReportPacer(TimeProvider time)
{
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(10);

    private readonly Lock _lock = new();
    private long? _lastReport;
    private long _unreported;

    /// <summary>Counts an event.</summary>
    /// <returns>The number of events to report now, including this one; 0 if the next report is not due.</returns>
    public long Note()
    {
        var now = time.GetTimestamp();
        lock (_lock)
        {
            _unreported++;
            if (_lastReport is { } last && time.GetElapsedTime(last, now) < Pause)
                return 0;
            _lastReport = now;
            var events = _unreported;
            _unreported = 0;
            return events;
        }
    }
}
