using System.Diagnostics;

namespace Stout.Benchmarks.Grains;

/// <summary>Callers that change random grains, each one call at a time. A failed call is not repeated.</summary>
/// <param name="callers">The number of callers.</param>
/// <param name="grains">The number of grains.</param>
internal sealed class Callers(int callers, int grains)
{
    private readonly Lock _lock = new();
    private List<double> _times = [];
    private long _failed;

    public Task RunAsync(IGrainFactory factory, CancellationToken over) => Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(
        async () =>
        {
            for (var random = new Random(caller); !over.IsCancellationRequested;)
            {
                var start = Stopwatch.GetTimestamp();
                var isAnswered = await TryAsync(factory.GetGrain<IAccountGrain>(random.Next(grains), typeof(AccountGrain).FullName));
                lock (_lock)
                {
                    if (isAnswered)
                        _times.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
                    else
                        _failed++;
                }
            }
        },
        CancellationToken.None)));

    /// <summary>The counts since the last call.</summary>
    public (long Calls, long Failed, double P99) Take()
    {
        List<double> times;
        long failed;
        lock (_lock)
            ((times, _times), (failed, _failed)) = ((_times, []), (_failed, 0));
        times.Sort();
        return (times.Count, failed, times.Count == 0 ? 0 : times[(int)(times.Count * 0.99)]);
    }

    private static async Task<bool> TryAsync(IAccountGrain grain)
    {
        try
        {
            await grain.ChangeAsync();
            return true;
        }
        catch (Exception)
        {
            return false;
        }
    }
}
