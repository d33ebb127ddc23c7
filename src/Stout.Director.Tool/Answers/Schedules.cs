using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Answers;

/// <summary>Numbers of servers over time that do not depend on the simulation.</summary>
internal static class Schedules
{
    private const int HoursOfDay = 24;

    /// <summary>
    /// For each hour, the servers for the highest load of the same hour a day before. The first day is scheduled by its own load, which no operator could know.
    /// </summary>
    /// <param name="history">The history.</param>
    /// <param name="workload">Its load.</param>
    /// <param name="perServer">The load of one server.</param>
    /// <returns>The number of servers at a time since the beginning of the history.</returns>
    public static Func<TimeSpan, int> Hourly(ServiceHistory history, HistoryWorkload workload, double perServer)
    {
        // Hours of the clock, in UTC: an offset moves the first one back to the beginning of its hour.
        var offset = history.Start.TimeOfDay.TotalHours % 1;
        var hours = new double[(int)Math.Ceiling(offset + history.Steps * history.StepSeconds / 3_600)];
        for (var step = 0; step < history.Steps; step++)
        {
            var hour = Math.Min((int)(offset + step * history.StepSeconds / 3_600), hours.Length - 1);
            hours[hour] = Math.Max(hours[hour], workload.Rate(step * history.StepSeconds));
        }

        return time =>
        {
            var hour = Math.Clamp((int)Math.Floor(offset + time.TotalHours), 0, hours.Length - 1);
            return (int)Math.Ceiling(hours[hour >= HoursOfDay ? hour - HoursOfDay : hour] / perServer);
        };
    }

    /// <summary>The recorded number of servers. Where it is unknown, the number before it goes on.</summary>
    /// <exception cref="HistoryException">The history has no number of servers.</exception>
    public static Func<TimeSpan, int> Recorded(ServiceHistory history)
    {
        if (!history.Replicas.Any(double.IsFinite))
            throw new HistoryException("The history does not have the number of servers over time. Import it with --replicas.");
        var counts = new int[history.Steps];
        var last = history.Replicas.First(double.IsFinite);
        for (var step = 0; step < counts.Length; step++)
        {
            last = double.IsFinite(history.Replicas[step]) ? history.Replicas[step] : last;
            counts[step] = (int)Math.Round(last);
        }

        return time => counts[Math.Clamp((int)Math.Floor(time.TotalSeconds / history.StepSeconds), 0, counts.Length - 1)];
    }
}
