using Microsoft.Extensions.Logging;
using Stout.Storage;
using static Stout.Diagnostics.StoutTelemetry;

namespace Stout.Diagnostics;

/// <summary>Logs and counts the failures of a client's background jobs, and tells which of them fail.</summary>
internal sealed class BackgroundReports(ILogger logger, StoutMeter meter, string client, TimeProvider time)
{
    private readonly Lock _lock = new();
    private volatile (BackgroundJob Job, string Place)[] _jobs = [];

    /// <summary>Adds the background work to a client's statistics.</summary>
    public StoutStatistics AddTo(in StoutStatistics statistics)
    {
        var (failures, failing) = (0L, (string?)null);
        foreach (var (job, place) in _jobs)
        {
            failures += job.Failures;
            if (job.Failure is { } failure)
                failing ??= $"{job.Name} of {place} ({failure.Kind})";
        }

        return statistics with { BackgroundFailures = failures, BackgroundFailure = failing };
    }

    /// <summary>Reports a job's failures from now on.</summary>
    /// <param name="job">The job.</param>
    /// <param name="place">The job's place in logs: a partition or a collection.</param>
    /// <param name="partition">The job's partition in metrics; null for a job of the whole client.</param>
    public void Watch(BackgroundJob job, string place, int? partition = null)
    {
        lock (_lock)
            _jobs = [.. _jobs, (job, place)];
        var pacer = new ReportPacer(time);
        KeyValuePair<string, object?>[] tags = partition is { } index
            ? [new(Tags.Client, client), new(Tags.Partition, index), new(Tags.BackgroundJob, job.Name)]
            : [new(Tags.Client, client), new(Tags.BackgroundJob, job.Name)];
        job.Watch(error =>
        {
            if (pacer.Note() is > 0 and var failures)
                logger.BackgroundJobFailed(error, client, job.Name, place, failures);
            try
            {
                meter.BackgroundFailures.Add(1, tags);
            }
            catch (Exception)
            {
                // A listener's exception must not stop the job.
            }
        });
    }
}
