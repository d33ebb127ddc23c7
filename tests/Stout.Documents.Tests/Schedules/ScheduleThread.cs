using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules;

/// <summary>Runs schedules one after another, on a thread that does not count as work of the thread pool.</summary>
internal static class ScheduleThread
{
    /// <summary>The number of schedules of a test: the environment variable STOUT_SCHEDULES, or else the test's default.</summary>
    public static int SchedulesOr(int usual) => int.TryParse(Environment.GetEnvironmentVariable("STOUT_SCHEDULES"), out var count) ? count : usual;

    /// <summary>Runs schedules until one finds a violation.</summary>
    /// <param name="schedules">The number of schedules; their seeds count from 0.</param>
    /// <param name="counts">The number of times that each kind of event or outcome happened in all schedules; the method adds to it.</param>
    /// <param name="run">Runs the schedule of a seed, and returns its counts.</param>
    /// <returns>The first violation, or null.</returns>
    public static Task<string?> RunAsync(int schedules, Dictionary<string, int> counts, Func<int, ThreadPoolActivity, Dictionary<string, int>> run)
    {
        var result = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            try
            {
                result.SetResult(Run(schedules, counts, run));
            }
            catch (Exception error)
            {
                result.SetException(error);
            }
        }) { IsBackground = true }.Start();
        return result.Task;
    }

    private static string? Run(int schedules, Dictionary<string, int> counts, Func<int, ThreadPoolActivity, Dictionary<string, int>> run)
    {
        var activity = new ThreadPoolActivity();
        for (var seed = 0; seed < schedules; seed++)
        {
            try
            {
                foreach (var (what, count) in run(seed, activity))
                    counts[what] = counts.GetValueOrDefault(what) + count;
            }
            catch (ScheduleViolation violation)
            {
                return $"seed {seed}: {violation.Message}";
            }
        }

        return null;
    }
}
