using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>Records the failures of a job of the writer's thread, and the pause after each.</summary>
/// <param name="job">The job.</param>
/// <param name="longest">The longest pause.</param>
/// <param name="time">The clock of the pauses.</param>
/// <param name="wake">Called on any thread when a pause ends.</param>
internal sealed class JobPause(BackgroundJob job, TimeSpan longest, TimeProvider time, Action wake) : IDisposable
{
    private (long Since, TimeSpan Length)? _pause;
    private ITimer? _timer;

    /// <summary>Whether the job has failed and must not run yet.</summary>
    public bool IsOn => _pause is { } pause && time.GetElapsedTime(pause.Since) < pause.Length;

    /// <summary>Records a failure, and starts the pause.</summary>
    public void Fail(Exception error)
    {
        job.Begin();
        job.Fail(error switch
        {
            SqliteFailure failure => SqliteErrors.Classify(failure),
            StoreException known => known,
            _ => new StoreException(StoreErrorKind.Unknown, "Background work failed.", error),
        });
        var pause = job.PauseAfterFailure(longest);
        _pause = (time.GetTimestamp(), pause);
        _timer ??= time.CreateTimer(static wake => ((Action)wake!)(), wake, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(pause, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Records a success.</summary>
    public void End()
    {
        if (_pause is null)
            return;
        _pause = null;
        job.Begin();
        job.End();
    }

    public void Dispose() => _timer?.Dispose();
}
