using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Paper;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Paper;

/// <summary>A callback that was given up while it waited for a thread of the pool is not begun.</summary>
public sealed class PaperCallsTests : ILaneIntake
{
    // More callbacks than the pool has threads. So when the last one begins, a mistaken call of an earlier one has been counted.
    private const int GivenUp = 200;

    private readonly MemoryApplication _application = new();
    private readonly TaskCompletionSource _last = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Fact]
    public async Task Deserialize_is_not_called_for_a_fill_that_has_failed()
    {
        using var calls = Calls();
        var called = 0;
        _application.OnDeserialize = filled =>
        {
            Interlocked.Increment(ref called);
            if (filled.Key.Text == "last")
                _last.SetResult();
            return ValueTask.CompletedTask;
        };
        var list = Enumerable.Range(0, GivenUp).Select(_ => Fill("failed", isOver: true)).Append(Fill("last", isOver: false)).ToList();
        list.ForEach(calls.Call);
        await _last.Task;
        Assert.Equal(1, called);
    }

    [Fact]
    public async Task Serialize_is_not_called_for_a_batch_that_was_given_up()
    {
        using var calls = Calls();
        var called = 0;
        _application.OnSerialize = (_, _) =>
        {
            if (Interlocked.Increment(ref called) > 0)
                _last.TrySetResult();
            return ValueTask.CompletedTask;
        };
        var list = Enumerable.Range(0, GivenUp).Select(_ => Batch(isGivenUp: true)).Append(Batch(isGivenUp: false)).ToList();
        list.ForEach(calls.Call);
        await _last.Task;
        Assert.Equal(1, called);
    }

    bool ILaneIntake.TryPost(in LaneInput input) => true;

    ValueTask ILaneIntake.AdmitAsync(bool toChange, CancellationToken cancellationToken) => throw new NotSupportedException();

    void ILaneIntake.ReportCallbackError(Exception error) => throw new NotSupportedException();

    private PaperCalls Calls()
    {
        var calls = new PaperCalls(_application, new StoutOptions(), TimeProvider.System, null);
        calls.Begin(this);
        return calls;
    }

    private KeyFill Fill(string key, bool isOver)
    {
        var handle = new KeyHandle(this, new PartitionKey(key));
        if (isOver)
            handle.Close(null);
        return new KeyFill(handle, new FillCall(handle.Key), default);
    }

    private static SerializationBatch Batch(bool isGivenUp)
    {
        var batch = new SerializationBatch();
        batch.Begin(1);
        if (isGivenUp)
            batch.Abandon();
        return batch;
    }
}
