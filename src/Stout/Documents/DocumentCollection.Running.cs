using System.Runtime.CompilerServices;
using Stout.Lanes.Shell;

namespace Stout.Documents;

/// <content>Runs calls. A call runs its function, commits the change, waits until the change is durable, and is repeated after conflicts.</content>
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
        var conflicting = 0L;
        using var limit = new AnswerLimit(_set.Answers, cancellationToken);
        for (var attempt = 1; ; attempt++)
        {
            // Reading one part of a filled document does not need the object's lock (the document's gate), since no function of the service runs.
            var document = _set.FindOrFill(id, limit.Token.CanBeCanceled);
            Part? part;
            Change? seen;
            while (!document.TryPeek(string.Empty, out part, out seen))
            {
                document = await _set.EnterAsync(document, toChange: false, limit).ConfigureAwait(false);
                document.Gate.Release();
            }

            document.CacheNode.IsReferenced = true;
            var reply = Read(document, _expiry is not null && _expiry.HasExpired(document, part) ? null : part);
            if (await FailureOfAsync(document, Settle(document, seen, freshness, limit), seen, attempt, limit).ConfigureAwait(false) is not { } failure)
                return reply.Leave();
            await DelayRepeatAsync(document, failure, attempt, ref conflicting, toChange: false, limit).ConfigureAwait(false);
        }
    }

    private async ValueTask<TResult> ReadAsync<TState, TResult>(
        string id, TState state, Func<DocumentView<T>, TState, TResult> read, long began, Freshness freshness, CancellationToken cancellationToken)
    {
        var conflicting = 0L;
        using var limit = new AnswerLimit(_set.Answers, cancellationToken);
        for (var attempt = 1; ; attempt++)
        {
            var document = await _set.EnterAsync(id, toChange: false, limit).ConfigureAwait(false);
            var (reply, seen) = Run(document, state, read);
            if (!IsFresh(document, seen, began))
            {
                await RefreshAsync(document, seen, toChange: false, limit).ConfigureAwait(false);
                continue;
            }

            if (await FailureOfAsync(document, Settle(document, seen, freshness, limit), seen, attempt, limit).ConfigureAwait(false) is not { } failure)
                return reply.Leave();
            await DelayRepeatAsync(document, failure, attempt, ref conflicting, toChange: false, limit).ConfigureAwait(false);
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<TResult> ChangeAsync<TState, TResult>(
        string id, TState state, Func<DocumentEditor<T>, TState, TResult> function, bool isShown, CancellationToken cancellationToken)
    {
        var (began, conflicting) = (_set.NextMoment(), 0L);
        using var limit = new AnswerLimit(_set.Answers, cancellationToken);
        for (var attempt = 1; ; attempt++)
        {
            var document = await _set.EnterAsync(id, toChange: true, limit).ConfigureAwait(false);
            var (reply, change, seen) = Run(document, state, function, isShown);
            if (change is not null)
            {
                if (!document.TryCommitAndOpenGate(change))
                {
                    _set.Discard(document);
                    if (attempt >= MostAttempts)
                        throw new HandleClosedException(document.Key);
                    continue;
                }
            }
            else if (!IsFresh(document, seen, began))
            {
                await RefreshAsync(document, seen, toChange: true, limit).ConfigureAwait(false);
                continue;
            }

            // The code of FailureOfAsync, repeated here to save one asynchronous call for each change.
            var durable = change?.WaitAsync(limit.Token) ?? Settle(document, seen, Options.EffectiveFreshness, limit);
            try
            {
                await durable.ConfigureAwait(false);
            }
            catch (KeyException failure) when (MayRepeat(failure, change ?? seen, attempt))
            {
                await DelayRepeatAsync(document, failure, attempt, ref conflicting, toChange: true, limit).ConfigureAwait(false);
                continue;
            }
            catch (OperationCanceledException) when (limit.HasEnded)
            {
                throw limit.ErrorOf(document.UnknownInTime());
            }

            return reply.Leave();
        }
    }

    /// <summary>
    /// Whether the state that a function has seen was the store's state at some time after the call began. This holds if the document's fill began
    /// later than the call. It also holds if the state includes a change made after the call began, since a change commits only on the store's latest
    /// state. If <paramref name="began"/> is 0, the collection does not require freshness.
    /// </summary>
    private static bool IsFresh(Document document, Change? seen, long began) => began == 0 || document.FilledAt > began || seen?.MadeAt > began;

    /// <summary>
    /// Makes the next attempt read the object again. First waits for the changes that the function has seen. Their failures are ignored, since the next attempt
    /// reads the stored state.
    /// </summary>
    private static async ValueTask RefreshAsync(Document document, Change? seen, bool toChange, AnswerLimit limit)
    {
        try
        {
            if (seen is not null)
                await seen.Task.WaitAsync(limit.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            limit.Token.ThrowIfCancellationRequested();
            await document.RefreshAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (limit.HasEnded)
        {
            throw limit.ErrorOf(document.NotBegunInTime(toChange));
        }
    }

    /// <summary>Waits until everything that a read has seen is durable.</summary>
    /// <returns>Null if everything is durable; the failure if the caller has to repeat the read. A read is repeated if the handle was closed, or after a
    /// conflict. A conflict counts only if the collection retries conflicts, or if a change that the read has seen replaced an expired object.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<KeyException?> FailureOfAsync(Document document, ValueTask durable, Change? awaited, int attempt, AnswerLimit limit)
    {
        try
        {
            await durable.ConfigureAwait(false);
            return null;
        }
        catch (KeyException failure) when (MayRepeat(failure, awaited, attempt))
        {
            return failure;
        }
        catch (OperationCanceledException) when (limit.HasEnded)
        {
            throw limit.ErrorOf(document.UnknownInTime());
        }
    }

    private bool MayRepeat(KeyException failure, Change? awaited, int attempt) => failure switch
    {
        HandleClosedException => attempt < MostAttempts,
        ConflictException => attempt < MostConflicts(awaited),
        _ => false,
    };

    /// <summary>Waits before the next attempt after a conflict.</summary>
    /// <param name="document">The object.</param>
    /// <param name="failure">The attempt's failure.</param>
    /// <param name="attempt">The attempt's number.</param>
    /// <param name="conflicting">The time of the call's first conflict; 0 before it.</param>
    /// <param name="toChange">Whether the call changes the object.</param>
    /// <param name="limit">Ends the wait.</param>
    private ValueTask DelayRepeatAsync(Document document, KeyException failure, int attempt, ref long conflicting, bool toChange, AnswerLimit limit)
    {
        if (failure is not ConflictException)
            return default;
        if (conflicting == 0)
            conflicting = _set.Time.GetTimestamp();
        return WaitAsync(document, _set.DelayAsync(attempt, _set.Time.GetElapsedTime(conflicting), limit.Token), toChange, limit);

        static async ValueTask WaitAsync(Document document, Task delay, bool toChange, AnswerLimit limit)
        {
            try
            {
                await delay.ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (limit.HasEnded)
            {
                throw limit.ErrorOf(document.NotBegunInTime(toChange));
            }
        }
    }

    private int MostConflicts(Change? awaited) =>
        Options.OnConflict == OnConflict.Retry ? Options.MaxConflicts : awaited is { RestsOnExpired: true } ? MaxAttempts : 0;

    /// <summary>
    /// Waits until a call that changes nothing may return its result: everything that the call has seen is durable. With <see cref="Freshness.Confirmed"/>, the
    /// store has also confirmed the key's owner.
    /// </summary>
    private static ValueTask Settle(Document document, Change? seen, Freshness freshness, AnswerLimit limit) =>
        freshness == Freshness.Confirmed ? document.Handle!.ConfirmInTimeAsync(limit, maySeeChanges: seen is not null) : Wait(seen, limit.Token);

    private static void CheckForOneCall(Freshness freshness)
    {
        if (freshness is not (Freshness.Memory or Freshness.Confirmed))
            throw new ArgumentOutOfRangeException(nameof(freshness), freshness, "One call can ask for Memory or Confirmed.");
    }

    private static ValueTask Wait(Change? seen, CancellationToken cancellationToken) =>
        seen is null ? default : new ValueTask(seen.Task.WaitAsync(cancellationToken));

    /// <summary>Reads a part for GetAsync. A deserialization error becomes the reply, since it has to wait for durability as a value does.</summary>
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

    /// <summary>Runs a reading function and releases the document's gate.</summary>
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

    /// <summary>Runs a changing function, whose changes are staged in an editor. Releases the document's gate unless there is a change to commit.</summary>
    /// <param name="document">The object.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="function">The function.</param>
    /// <param name="isShown">Whether the service's code receives the editor. Such code may keep a reference to the editor, which is therefore not
    /// reused.</param>
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
