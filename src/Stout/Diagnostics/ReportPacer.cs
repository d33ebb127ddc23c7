namespace Stout.Diagnostics;

/// <summary>
/// Makes one report of many like events: the first is reported at once, those of the next ten seconds are counted and go into
/// the report after. May be called by any thread.
/// </summary>
internal sealed class ReportPacer(TimeProvider time)
{
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(10);

    private readonly Lock _lock = new();
    private long? _lastReport;
    private long _unreported;

    /// <summary>Notes an event.</summary>
    /// <returns>The events to report, this one among them; 0 if it is too early for a report.</returns>
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
