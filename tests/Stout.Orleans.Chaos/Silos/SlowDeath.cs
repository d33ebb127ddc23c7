namespace Stout.Orleans.Chaos.Silos;

/// <summary>A fault: a silo that learns that it was declared dead ends 3 s later, as if the news had come late. Its grains go on until then.</summary>
internal sealed class SlowDeath : IFatalErrorHandler
{
    private static readonly TimeSpan While = TimeSpan.FromSeconds(3);
    private int _dies;

    /// <summary>Whether the silo was declared dead.</summary>
    public bool IsDying => Volatile.Read(ref _dies) != 0;

    /// <inheritdoc/>
    public bool IsUnexpected(Exception exception) => exception is not ThreadAbortException;

    /// <inheritdoc/>
    public void OnFatalException(object? sender = null, string? context = null, Exception? exception = null)
    {
        if (Interlocked.Exchange(ref _dies, 1) == 0)
            _ = DieAsync();
    }

    private static async Task DieAsync()
    {
        await Task.Delay(While);
        Environment.FailFast(null);
    }
}
