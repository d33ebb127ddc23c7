namespace Stout.Documents.Tests.Schedules;

/// <summary>Stands between the lanes and the typed layer: callbacks wait until the schedule runs them, on its own thread.</summary>
internal sealed class HeldApplication(IStoutApplication inner) : IStoutApplication
{
    private readonly Lock _lock = new();
    private readonly List<HeldCall> _calls = [];
    private readonly Dictionary<string, object?> _requesters = [];

    public List<HeldCall> Calls
    {
        get
        {
            lock (_lock)
                return [.. _calls];
        }
    }

    /// <summary>The requester of the key's latest fill.</summary>
    public object? LatestRequester(string key)
    {
        lock (_lock)
            return _requesters[key];
    }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken)
    {
        lock (_lock)
            _requesters[filled.Key.Text] = filled.Requester;
        var call = new HeldCall(filled);
        lock (_lock)
            _calls.Add(call);
        return new ValueTask(call.End.Task);
    }

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) => inner.SerializeAsync(batch, cancellationToken);

    /// <summary>Runs a callback to its end.</summary>
    /// <param name="call">The callback.</param>
    /// <param name="error">The exception to throw instead; null to run the callback.</param>
    /// <param name="redirect">Returns the filled key that the typed layer gets in place of the callback's own.</param>
    public void Run(HeldCall call, Exception? error, Func<FilledKey, FilledKey> redirect)
    {
        lock (_lock)
            _calls.Remove(call);
        if (error is not null)
        {
            call.End.SetException(error);
            return;
        }

        try
        {
            inner.DeserializeAsync(redirect(call.Filled), CancellationToken.None).AsTask().GetAwaiter().GetResult();
            call.End.SetResult();
        }
        catch (Exception thrown)
        {
            call.End.SetException(thrown);
        }
    }
}

/// <summary>A Deserialize callback under way.</summary>
internal sealed class HeldCall(FilledKey filled)
{
    public FilledKey Filled { get; } = filled;

    public TaskCompletionSource End { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}
