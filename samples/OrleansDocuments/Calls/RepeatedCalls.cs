using Orleans.Storage;
using OrleansDocuments.Hosting;
using Stout.Orleans;

namespace OrleansDocuments.Calls;

/// <summary>
/// Calls a grain, and repeats a call that Orleans rejects, or whose activation was fenced. After the loss of a silo, the same call can be rejected more than
/// once: until the cluster has declared the silo dead, and again while the directory of grains moves.
/// </summary>
internal sealed class RepeatedCalls(SiloOptions options, TimeProvider time)
{
    private static readonly TimeSpan ShortestPause = TimeSpan.FromMilliseconds(25);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(400);

    /// <summary>
    /// Makes a call until it is answered, or until <see cref="SiloOptions.LossPatience"/> has passed at a rejection. The call is made at least once: a rejected
    /// call may have been run by the silo that was lost.
    /// </summary>
    public async Task<T> CallAsync<T>(Func<Task<T>> call, CancellationToken cancellationToken)
    {
        var start = time.GetTimestamp();
        for (var pause = ShortestPause; ; pause = pause < LongestPause ? 2 * pause : LongestPause)
        {
            try
            {
                return await call().WaitAsync(cancellationToken);
            }
            catch (Exception error) when (IsRepeatable(error) && time.GetElapsedTime(start) < options.LossPatience)
            {
                await Task.Delay(pause, time, cancellationToken);
            }
        }
    }

    private static bool IsRepeatable(Exception error) => error switch
    {
        OrleansMessageRejectionException => true,
        GrainStateOutcomeUnknownException => false,
        // Nothing was written. The next activation reads the document.
        InconsistentStateException => true,
        _ => false,
    };
}
