using Stout.Lanes.Shell;
using Stout.Storage;

namespace Stout;

/// <content>Writes changes that carry their bytes.</content>
public sealed partial class KeyHandle
{
    /// <summary>
    /// Waits for admission as <see cref="AdmitAsync"/> does, writes a change, and returns when it is durable. Changes of one key keep their order, and those
    /// between two batches leave together. While a change and those before it exceed the limits of one store request, the change waits for them.
    /// </summary>
    /// <param name="change">The change. Its bytes must not change any more.</param>
    /// <param name="cancellationToken">Stops the waiting. The change stays if it was admitted before.</param>
    /// <returns>The version under which the change is durable. It may include later changes.</returns>
    /// <exception cref="ChangeTooLargeException">The change alone exceeds the limits of one store request. Nothing was changed.</exception>
    /// <exception cref="NotAppliedException">The change is certainly not in the store.</exception>
    /// <exception cref="OutcomeUnknownException">The change may or may not be in the store.</exception>
    /// <exception cref="FencedException">Another owner has claimed the key.</exception>
    /// <exception cref="ConflictException">Another client has written the key.</exception>
    /// <exception cref="HandleClosedException">The handle no longer works. The change is not in the store.</exception>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="OperationCanceledException">The waiting was cancelled.</exception>
    /// <exception cref="InvalidOperationException">The change is empty or was written before, or the client's application serializes its objects itself
    /// (<see cref="IStoutApplication"/>).</exception>
    public ValueTask<Stamp> WriteAsync(KeyChange change, CancellationToken cancellationToken = default)
    {
        Check(change);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<Stamp>(cancellationToken);
        return _lane.Answers is not null || !_lane.IsAdmissionOpen
            ? AdmitAndWriteAsync(change, cancellationToken)
            : Begin(change).WaitAsync(cancellationToken);
    }

    /// <summary>
    /// Writes a change and returns at once, without a wait for admission: for callers that collapse changes or have waited in <see cref="AdmitAsync"/>.
    /// <see cref="WhenSafeAsync"/> completes when the change is durable, or fails with it.
    /// </summary>
    /// <param name="change">The change. Its bytes must not change any more.</param>
    /// <exception cref="ChangeTooLargeException">The change alone exceeds the limits of one store request. Nothing was changed.</exception>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The change is empty or was written before, or the client's application serializes its objects itself
    /// (<see cref="IStoutApplication"/>).</exception>
    public void Write(KeyChange change)
    {
        Check(change);
        Begin(change);
    }

    private void Check(KeyChange change)
    {
        ArgumentNullException.ThrowIfNull(change);
        if (_lane.Serializes)
            throw new InvalidOperationException("The client's application serializes its objects itself: mark the change in place of writing it.");
        CheckOpen();
        if (_lane.Limits.TooLarge(Key, change.LargestPart, change.Bytes, change.PartCount) is { } tooLarge)
            throw tooLarge;
    }

    private WrittenChange Begin(KeyChange change)
    {
        change.BeginWrite();
        var written = new WrittenChange(change);
        Push(written);
        return written;
    }

    private async ValueTask<Stamp> AdmitAndWriteAsync(KeyChange change, CancellationToken cancellationToken)
    {
        using var limit = new AnswerLimit(_lane.Answers, cancellationToken);
        try
        {
            await WaitForAdmissionAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (limit.HasEnded)
        {
            throw limit.ErrorOf(new NotAppliedException(Key, NotAppliedReason.NotAnsweredInTime));
        }

        WrittenChange written;
        try
        {
            written = Begin(change);
        }
        catch (InvalidOperationException)
        {
            EndAdmission();
            throw;
        }

        try
        {
            return await written.WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (limit.HasEnded)
        {
            throw limit.ErrorOf(NotAnsweredInTime());
        }
    }
}
