using System.Runtime.CompilerServices;

namespace Stout.Documents;

/// <content>Runs calls: the function, the commit, the wait for durability, and the retries.</content>
public sealed partial class DocumentCollection<T>
{
    private static T? Update(DocumentEditor<T> editor, T? value)
    {
        if (value is null)
            editor.Remove(string.Empty);
        else
            editor.Set(string.Empty, value);
        return value;
    }

    private async ValueTask<T?> PeekAsync(string id, Freshness freshness, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        for (var attempt = 1; ; attempt++)
        {
            // The usual case needs no gate, since reading one part runs no function.
            var document = _set.FindOrFill(id, cancellationToken.CanBeCanceled);
            Part? part;
            Change? seen;
            while (!document.TryPeek(string.Empty, out part, out seen))
            {
                document = await _set.EnterAsync(document, toChange: false, cancellationToken).ConfigureAwait(false);
                document.Gate.Release();
            }

            document.CacheNode.IsReferenced = true;
            var reply = Read(document, _expiry is not null && _expiry.HasExpired(document, part) ? null : part);
            if (await IsDurableAsync(Settle(document, seen, freshness, cancellationToken), seen, attempt, cancellationToken).ConfigureAwait(false))
                return reply.Leave();
        }
    }

    private async ValueTask<TResult> ReadAsync<TState, TResult>(
        string id, TState state, Func<DocumentView<T>, TState, TResult> read, long began, Freshness freshness, CancellationToken cancellationToken)
    {
        for (var attempt = 1; ; attempt++)
        {
            var document = await _set.EnterAsync(id, toChange: false, cancellationToken).ConfigureAwait(false);
            var (reply, seen) = Run(document, state, read);
            if (!IsFresh(document, seen, began))
            {
                await RefreshAsync(document, seen, cancellationToken).ConfigureAwait(false);
                continue;
            }

            if (await IsDurableAsync(Settle(document, seen, freshness, cancellationToken), seen, attempt, cancellationToken).ConfigureAwait(false))
                return reply.Leave();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<TResult> ChangeAsync<TState, TResult>(
        string id, TState state, Func<DocumentEditor<T>, TState, TResult> function, bool isShown, CancellationToken cancellationToken)
    {
        var began = _set.NextMoment();
        for (var attempt = 1; ; attempt++)
        {
            var document = await _set.EnterAsync(id, toChange: true, cancellationToken).ConfigureAwait(false);
            var (reply, change, seen) = Run(document, state, function, isShown);
            if (change is not null)
            {
                if (!await WaitUnlessCancelled(document.CommitAndOpenGateAsync(change), cancellationToken).ConfigureAwait(false))
                {
                    _set.Discard(document);
                    if (attempt >= MostAttempts)
                        throw new HandleClosedException(document.Key);
                    continue;
                }
            }
            else if (!IsFresh(document, seen, began))
            {
                await RefreshAsync(document, seen, cancellationToken).ConfigureAwait(false);
                continue;
            }

            // As in IsDurableAsync, but without a task between the lane and the caller.
            var durable = change?.WaitAsync(cancellationToken) ?? Settle(document, seen, Options.EffectiveFreshness, cancellationToken);
            try
            {
                await durable.ConfigureAwait(false);
            }
            catch (KeyException failure) when (MayRepeat(failure, change ?? seen, attempt))
            {
                await DelayRepeatAsync(failure, attempt, cancellationToken).ConfigureAwait(false);
                continue;
            }

            return reply.Leave();
        }
    }

    /// <summary>
    /// Whether the state that a function has seen was in the store after the call began. It was read from the store since, or includes a change made
    /// since, which the store commits only on top of its own state.
    /// </summary>
    private static bool IsFresh(Document document, Change? seen, long began) => began == 0 || document.FilledAt > began || seen?.MadeAt > began;

    /// <summary>Makes the next attempt read the object again. The results of earlier changes do not matter to this call.</summary>
    private static async ValueTask RefreshAsync(Document document, Change? seen, CancellationToken cancellationToken)
    {
        if (seen is not null)
            await seen.Task.WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellationToken.ThrowIfCancellationRequested();
        await document.RefreshAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Waits until everything that a read has seen is durable.</summary>
    /// <returns>
    /// False if the read may be repeated: the key was closed, or another process has written the object and the collection retries. Or a change that
    /// the read has seen replaced an expired object, and met a conflict.
    /// </returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> IsDurableAsync(ValueTask durable, Change? awaited, int attempt, CancellationToken cancellationToken)
    {
        try
        {
            await durable.ConfigureAwait(false);
            return true;
        }
        catch (KeyException failure) when (MayRepeat(failure, awaited, attempt))
        {
            await DelayRepeatAsync(failure, attempt, cancellationToken).ConfigureAwait(false);
            return false;
        }
    }

    private bool MayRepeat(KeyException failure, Change? awaited, int attempt) => failure switch
    {
        HandleClosedException => attempt < MostAttempts,
        ConflictException => attempt < MostConflicts(awaited),
        _ => false,
    };

    private Task DelayRepeatAsync(KeyException failure, int attempt, CancellationToken cancellationToken) =>
        failure is ConflictException ? _set.DelayAsync(attempt, cancellationToken) : Task.CompletedTask;

    private int MostConflicts(Change? awaited) =>
        Options.OnConflict == OnConflict.Retry ? Options.MaxConflicts : awaited is { RestsOnExpired: true } ? MaxAttempts : 0;

    /// <summary>Waits until an answer may leave that changes nothing: everything seen is durable, and confirmed where the call asks for that.</summary>
    private static ValueTask Settle(Document document, Change? seen, Freshness freshness, CancellationToken cancellationToken) =>
        freshness == Freshness.Confirmed ? document.Handle!.ConfirmAsync(cancellationToken) : Wait(seen, cancellationToken);

    private static void CheckForOneCall(Freshness freshness)
    {
        if (freshness is not (Freshness.Memory or Freshness.Confirmed))
            throw new ArgumentOutOfRangeException(nameof(freshness), freshness, "One call can ask for Memory or Confirmed.");
    }

    private static ValueTask Wait(Change? seen, CancellationToken cancellationToken) =>
        seen is null ? default : new ValueTask(seen.Task.WaitAsync(cancellationToken));

    private static ValueTask<bool> WaitUnlessCancelled(ValueTask<bool> committing, CancellationToken cancellationToken)
    {
        if (committing.IsCompleted)
            return committing;
        var task = committing.AsTask();
        // A caller that stops waiting does not see the commit's error, which must not count as unobserved.
        _ = task.ContinueWith(
            static task => task.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        return new ValueTask<bool>(task.WaitAsync(cancellationToken));
    }

    /// <summary>Reads the part for GetAsync. A deserialization error is a reply too.</summary>
    private Reply<T?> Read(Document document, Part? part)
    {
        try
        {
            return new(part is null ? null : _codec.Read(document, part));
        }
        catch (PartSerializationException error)
        {
            return new(error);
        }
    }

    /// <summary>Runs a reading function and releases the gate.</summary>
    private (Reply<TResult> Reply, Change? Seen) Run<TState, TResult>(Document document, TState state, Func<DocumentView<T>, TState, TResult> function)
    {
        Reply<TResult> reply;
        document.NoteFunction(begins: true);
        var view = new DocumentReader<T>(_codec, document, _expiry is not null && _expiry.HasExpired(document, document.Parts.Find(string.Empty)));
        try
        {
            reply = new(function(view, state));
        }
        catch (Exception error)
        {
            reply = new(error);
        }

        document.NoteFunction(begins: false);
        view.Close();
        var seen = document.Undurable;
        document.Gate.Release();
        return (reply, seen);
    }

    /// <summary>Runs a changing function on staged parts. The gate stays closed only if there is a change to commit.</summary>
    /// <param name="document">The object.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="function">The function.</param>
    /// <param name="isShown">Whether the service's code receives the editor, and may keep it.</param>
    private (Reply<TResult> Reply, Change? Change, Change? Seen) Run<TState, TResult>(
        Document document, TState state, Func<DocumentEditor<T>, TState, TResult> function, bool isShown)
    {
        ref var spare = ref _spareEditors[Environment.CurrentManagedThreadId % _spareEditors.Length];
        var editor = (isShown ? null : Interlocked.Exchange(ref spare, null)) ?? new StagedEditor<T>(_codec, _set.Limits, _set.Options, _expiry);
        Reply<TResult> reply;
        Change? change = null;
        document.NoteFunction(begins: true);
        editor.Begin(document);
        try
        {
            reply = new(function(editor, state));
            change = editor.Complete();
        }
        catch (Exception error)
        {
            reply = new(error);
        }

        document.NoteFunction(begins: false);
        editor.Close();
        if (!isShown)
            spare = editor;
        if (change is not null)
            return (reply, change, null);
        var seen = document.Undurable;
        document.Gate.Release();
        document.EndAdmission();
        return (reply, null, seen);
    }
}
