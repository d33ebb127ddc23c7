using Stout.Tests.Lanes.Schedules;

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

    /// <summary>What the key's latest fill was asked for with.</summary>
    public object? LatestRequester(string key)
    {
        lock (_lock)
            return _requesters[key];
    }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken)
    {
        lock (_lock)
            _requesters[filled.Key.Text] = filled.Requester;
        return Hold(new HeldCall { Filled = filled });
    }

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) => Hold(new HeldCall { Batch = batch });

    /// <summary>Runs a callback to its end.</summary>
    /// <param name="call">The callback.</param>
    /// <param name="error">What it throws instead; null to run it.</param>
    /// <param name="redirect">What the typed layer gets instead of the key that was filled.</param>
    /// <param name="serialized">Told of a batch that was serialized in time, before the callback ends.</param>
    public void Run(HeldCall call, Exception? error, Func<FilledKey, FilledKey> redirect, Action<SerializationBatch> serialized)
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
            if (call.Batch is null)
                inner.DeserializeAsync(redirect(call.Filled), CancellationToken.None).AsTask().GetAwaiter().GetResult();
            else
                inner.SerializeAsync(call.Batch, CancellationToken.None).AsTask().GetAwaiter().GetResult();
            if (call.Batch is { IsOver: false } inTime)
                serialized(inTime);
            call.End.SetResult();
        }
        catch (Exception thrown) when (thrown is not ScheduleViolation)
        {
            call.End.SetException(thrown);
        }
    }

    private ValueTask Hold(HeldCall call)
    {
        lock (_lock)
            _calls.Add(call);
        return new ValueTask(call.End.Task);
    }
}

/// <summary>A callback under way: Serialize if there is a batch, otherwise Deserialize.</summary>
internal sealed class HeldCall
{
    public SerializationBatch? Batch { get; init; }

    public FilledKey Filled { get; init; }

    public TaskCompletionSource End { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}
