namespace Samples.Tests;

/// <summary>Many concurrent clients.</summary>
internal static class Crowd
{
    private const int Clients = 32;

    /// <summary>Makes numbered calls, up to 32 at a time, in no certain order.</summary>
    public static Task DoAsync(int calls, Func<int, CancellationToken, ValueTask> call) => Parallel.ForEachAsync(
        Enumerable.Range(0, calls),
        new ParallelOptions { MaxDegreeOfParallelism = Clients, CancellationToken = TestContext.Current.CancellationToken },
        call);
}
