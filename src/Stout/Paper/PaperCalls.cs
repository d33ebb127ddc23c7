using Stout.Diagnostics;
using Stout.Lanes.Core;
using Stout.Lanes.Shell;

namespace Stout.Paper;

/// <summary>Runs the application's callbacks on the thread pool, and passes marks and the callbacks' ends to <see cref="PaperRoom"/>.</summary>
internal sealed class PaperCalls(IStoutApplication application, StoutOptions options, TimeProvider time, LaneTelemetry? telemetry) : ILaneClientShell
{
    private readonly PaperRoom _room = new(options, telemetry);
    private readonly CallbackLimits _limits = new(options.CallbackTimeout, time);
    private ILaneIntake _lane = null!;

    /// <inheritdoc/>
    public ILaneClient Client => _room;

    /// <inheritdoc/>
    public void Begin(ILaneIntake lane) => _lane = lane;

    /// <inheritdoc/>
    public void Apply(in LaneInput input, TimeSpan now)
    {
        switch (input.Kind)
        {
            case PaperInput.MarkDirty:
                _room.MarkDirty(input.Handle!, input.Part, now);
                break;
            case PaperInput.MarkDeleted:
                _room.MarkDeleted(input.Handle!, input.Part, now);
                break;
            case PaperInput.MarkAllDeleted:
                _room.MarkAllDeleted(input.Handle!, now);
                break;
            case PaperInput.Serialized:
                _room.Serialized((SerializationBatch)input.Subject!, input.Error, now);
                break;
            case PaperInput.Deserialized:
                _room.Deserialized((KeyFill)input.Subject!, input.Error);
                break;
        }
    }

    /// <inheritdoc/>
    public void Call(object subject)
    {
        if (subject is SerializationBatch batch)
            ThreadPool.UnsafeQueueUserWorkItem(static call => call.Self.Serialize(call.Batch), (Self: this, Batch: batch), false);
        else
            ThreadPool.UnsafeQueueUserWorkItem(static call => call.Self.Deserialize(call.Fill), (Self: this, Fill: (KeyFill)subject), false);
    }

    public void Dispose() => _limits.Dispose();

    // The batch may have been given up while its call waited for a pool thread.
    private void Serialize(SerializationBatch batch)
    {
        if (!batch.IsOver)
            _ = SerializeAsync(batch);
    }

    private async Task SerializeAsync(SerializationBatch batch)
    {
        var error = await CallAsync(
            static (application, batch, token) => application.SerializeAsync(batch, token), batch).ConfigureAwait(false);
        batch.End();
        _lane.TryPost(new LaneInput(PaperInput.Serialized, Subject: batch, Error: error));
    }

    // The fill may have failed while its call waited for a pool thread.
    private void Deserialize(KeyFill fill)
    {
        if (!fill.IsOver)
            _ = DeserializeAsync(fill);
    }

    private async Task DeserializeAsync(KeyFill fill)
    {
        var filled = new FilledKey(fill.Handle, fill.Outcome.Exists, fill.Outcome.Parts);
        var error = await CallAsync(
            static (application, filled, token) => application.DeserializeAsync(filled, token), filled).ConfigureAwait(false);
        _lane.TryPost(new LaneInput(PaperInput.Deserialized, Subject: fill, Error: error));
    }

    /// <summary>Calls the application's callback.</summary>
    /// <returns>The callback's exception, or null.</returns>
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
}
