using Stout.Diagnostics;
using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Lanes.Shell;

/// <summary>Executes the core's commands. No application code runs on the lane's loop.</summary>
internal sealed class LaneCommands(
    ILaneIntake lane, LaneCore core, IStorePartition partition, ILaneClientShell? client, LaneTelemetry telemetry) : IDisposable
{
    private readonly CancellationTokenSource _ended = new();
    private IThreadPoolWorkItem? _lastReleased;

    /// <summary>Executes the core's commands in order, and empties the list.</summary>
    /// <returns>Whether the lane has drained.</returns>
    public bool Carry()
    {
        var drained = false;
        var commands = core.Commands;
        for (var i = 0; i < commands.Count; i++)
        {
            var command = commands[i];
            switch (command.Kind)
            {
                case LaneCommandKind.CallClient:
                    client!.Call(command.Subject!);
                    break;
                case LaneCommandKind.SendWrite:
                    Forget(WriteAsync((WriteRequest)command.Subject!));
                    break;
                case LaneCommandKind.SendRead:
                    Forget(ReadAsync((ReadRequest)command.Subject!));
                    break;
                case LaneCommandKind.CancelRead:
                    Cancel(((ReadRequest)command.Subject!).Call!);
                    break;
                case LaneCommandKind.Release:
                    Release(command.Handle!, (Message)command.Subject!);
                    break;
                case LaneCommandKind.CompleteFill:
                    var fill = (FillCall)command.Subject!;
                    if (!fill.TryComplete(command.Failure))
                        core.Cancel(fill);
                    break;
                case LaneCommandKind.CompleteAdmission:
                    var admission = (AdmissionCall)command.Subject!;
                    if (!admission.TryComplete(command.Failure))
                        core.Cancel(admission);
                    break;
                case LaneCommandKind.CompleteClose:
                    ((TaskCompletionSource<bool>)command.Subject!).TrySetResult(command.Handle is not null);
                    break;
                case LaneCommandKind.Drained:
                    drained = true;
                    break;
            }
        }

        commands.Clear();
        return drained;
    }

    /// <summary>Runs the message that was released last, on a thread that the loop has left.</summary>
    public void RunLastReleased() => Interlocked.Exchange(ref _lastReleased, null)?.Execute();

    /// <summary>Sends the message that was released last to the pool, unless another thread has taken it.</summary>
    public void QueueLastReleased()
    {
        if (Volatile.Read(ref _lastReleased) is not null)
            Queue(Interlocked.Exchange(ref _lastReleased, null));
    }

    public void Dispose()
    {
        _ended.Cancel();
        _ended.Dispose();
    }

    // Sends every released message but the last to the pool. The last one is held back, since the loop's thread may run it (RunLastReleased).
    private void Release(KeyHandle handle, Message chain)
    {
        Message? next;
        for (var message = chain; message is not null; message = next)
        {
            next = message.Next;
            message.Next = null;
            if (message is IReleasable releasable)
            {
                HoldAsLast(releasable.Released(handle));
                continue;
            }

            var callback = message as CallbackMessage;
            if (callback is null || !callback.TryRunAfter(handle.LastReleased))
                HoldAsLast((IThreadPoolWorkItem)message);
            if (callback is not null)
                handle.LastReleased = callback;
        }
    }

    private void HoldAsLast(IThreadPoolWorkItem released) => Queue(Interlocked.Exchange(ref _lastReleased, released));

    private static void Queue(IThreadPoolWorkItem? released)
    {
        if (released is not null)
            ThreadPool.UnsafeQueueUserWorkItem(released, preferLocal: false);
    }

    private async Task WriteAsync(WriteRequest request)
    {
        telemetry.WriteLeaves(request);
        try
        {
            await partition.WriteAsync(request.Batch, _ended.Token).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            request.Batch.Fail(error);
        }

        LaneTelemetry.WriteReturns(request);
        lane.TryAnswer(new LaneInput(LaneInputKind.WriteAnswered, Subject: request));
    }

    private async Task ReadAsync(ReadRequest request)
    {
        // Without a timer and a wait handle, the source holds nothing to dispose.
        var end = new CancellationTokenSource();
        request.Call = end;
        try
        {
            using (_ended.Token.UnsafeRegister(static end => Cancel(end!), end))
                await partition.ReadAsync(request.Batch, end.Token).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            request.Batch.Fail(error);
        }

        lane.TryAnswer(new LaneInput(LaneInputKind.ReadAnswered, Subject: request));
    }

    // The proxy's callbacks run in the pool, since they may block.
    private static void Cancel(object call) => Forget(((CancellationTokenSource)call).CancelAsync());

    // These tasks report every exception as an outcome.
    private static void Forget(Task task) => _ = task;
}
