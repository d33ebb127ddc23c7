using Stout.Diagnostics;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>Carries a core's commands out. Nothing that an application has written runs on the lane's loop.</summary>
internal sealed class LaneCommands(
    ILaneIntake lane, IStorePartition partition, IStoutApplication application, TimeSpan callbackTimeout, TimeProvider time, LaneTelemetry telemetry) : IDisposable
{
    private readonly CancellationTokenSource _ended = new();
    private readonly CallbackLimits _limits = new(callbackTimeout, time);

    /// <summary>Carries out the commands, in their order, and empties the list.</summary>
    /// <returns>Whether the lane has drained.</returns>
    public bool Carry(List<LaneCommand> commands)
    {
        var drained = false;
        foreach (var command in commands)
        {
            switch (command.Kind)
            {
                case LaneCommandKind.Serialize:
                    ThreadPool.UnsafeQueueUserWorkItem(
                        static call => call.Self.Serialize(call.Batch), (Self: this, Batch: (SerializationBatch)command.Subject!), false);
                    break;
                case LaneCommandKind.Deserialize:
                    ThreadPool.UnsafeQueueUserWorkItem(
                        static call => call.Self.Deserialize(call.Fill), (Self: this, Fill: (KeyFill)command.Subject!), false);
                    break;
                case LaneCommandKind.SendWrite:
                    Forget(WriteAsync((WriteRequest)command.Subject!));
                    break;
                case LaneCommandKind.SendRead:
                    Forget(ReadAsync((ReadRequest)command.Subject!));
                    break;
                case LaneCommandKind.Release:
                    Release(command.Handle!, (Message)command.Subject!);
                    break;
                case LaneCommandKind.CompleteFill:
                    Complete((TaskCompletionSource<KeyHandle>)command.Subject!, command.Handle!, command.Failure);
                    break;
                case LaneCommandKind.CompleteAdmission:
                    Complete((TaskCompletionSource<bool>)command.Subject!, true, command.Failure);
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

    public void Dispose()
    {
        _ended.Cancel();
        _ended.Dispose();
        _limits.Dispose();
    }

    private static void Complete<T>(TaskCompletionSource<T> waiter, T result, StoutException? failure)
    {
        if (failure is null)
        {
            waiter.TrySetResult(result);
            return;
        }

        waiter.TrySetException(failure);
        // Its caller may have stopped waiting: then the error would count as unobserved.
        _ = waiter.Task.Exception;
    }

    private static void Release(KeyHandle handle, Message chain)
    {
        Message? next;
        for (var message = chain; message is not null; message = next)
        {
            next = message.Next;
            message.Next = null;
            if (message is PushedChange change)
            {
                change.Released();
                continue;
            }

            var callback = message as CallbackMessage;
            if (callback is null || !callback.TryRunAfter(handle.LastReleased))
                ThreadPool.UnsafeQueueUserWorkItem((IThreadPoolWorkItem)message, preferLocal: false);
            if (callback is not null)
                handle.LastReleased = callback;
        }
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
        lane.TryPost(new LaneInput(LaneInputKind.WriteAnswered, Subject: request));
    }

    private async Task ReadAsync(ReadRequest request)
    {
        try
        {
            await partition.ReadAsync(request.Batch, _ended.Token).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            request.Batch.Fail(error);
        }

        lane.TryPost(new LaneInput(LaneInputKind.ReadAnswered, Subject: request));
    }

    // A batch that was given up while its call waited for a thread of the pool has nothing to ask for.
    private void Serialize(SerializationBatch batch)
    {
        if (!batch.IsOver)
            Forget(SerializeAsync(batch));
    }

    private async Task SerializeAsync(SerializationBatch batch)
    {
        var error = await CallAsync(
            static (application, batch, token) => application.SerializeAsync(batch, token), batch).ConfigureAwait(false);
        batch.End();
        lane.TryPost(new LaneInput(LaneInputKind.Serialized, Subject: batch, Error: error));
    }

    // A fill that has failed while its call waited for a thread of the pool needs no object.
    private void Deserialize(KeyFill fill)
    {
        if (!fill.IsOver)
            Forget(DeserializeAsync(fill));
    }

    private async Task DeserializeAsync(KeyFill fill)
    {
        var filled = new FilledKey(fill.Handle, fill.Outcome.Exists, fill.Outcome.Parts) { Requester = fill.Requester };
        var error = await CallAsync(
            static (application, filled, token) => application.DeserializeAsync(filled, token), filled).ConfigureAwait(false);
        lane.TryPost(new LaneInput(LaneInputKind.Deserialized, Subject: fill, Error: error));
    }

    /// <summary>Calls the application back.</summary>
    /// <returns>What it threw, or null.</returns>
    private async ValueTask<Exception?> CallAsync<T>(Func<IStoutApplication, T, CancellationToken, ValueTask> callback, T argument)
    {
        var limit = _limits.Take();
        try
        {
            await callback(application, argument, limit.Token).ConfigureAwait(false);
            return null;
        }
        catch (Exception error)
        {
            return error;
        }
        finally
        {
            _limits.GiveBack(limit);
        }
    }

    // Every exception ends in the outcome that these tasks post.
    private static void Forget(Task task) => _ = task;
}
