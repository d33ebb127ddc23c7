using System.Runtime.CompilerServices;
using Stout.Storage;

namespace Stout.Documents;

/// <summary>
/// A collection of objects. An object is a set of parts of type T. Most objects have one part, the object's own value, whose name is the empty
/// string. An object that was never written has no parts.
/// </summary>
/// <remarks>
/// <para>An id is any well-formed text of 1 character or more. With the collection's name and a separator it must fit into <see
/// cref="PartitionKey.MaxBytes"/>. Ids and part names are compared ordinally: no case folding, no normalization.</para>
/// <para>Functions run under the object's lock, one at a time, and must not wait for another call on the same object. If the key fails during the call,
/// the object is read again and the function runs again. So a function should have no effects except through its editor.</para>
/// <para>Every call waits until everything that it has seen and changed is durable, even if its function throws: an exception may reveal the function's input.
/// Cancelling ends only the wait; a change whose function has run stays, and becomes durable.</para>
/// <para>If a change fails, every call that has seen it fails with the change's error, in place of its result or of its function's exception. The
/// next call sees the stored state.</para>
/// </remarks>
/// <typeparam name="T">The type of the parts.</typeparam>
public sealed partial class DocumentCollection<T>
    where T : class
{
    /// <summary>
    /// The maximum number of attempts of one call, unless the collection retries conflicts. A key that fails at each attempt has a lasting problem, so the
    /// caller gets the error.
    /// </summary>
    private const int MaxAttempts = 3;

    private readonly DocumentSet _set;
    private readonly PartCodec<T> _codec;

    /// <summary>Null if the collection's objects do not expire.</summary>
    private readonly Expiry<T>? _expiry;

    // Editors for reuse. There are several, since functions of different objects run concurrently.
    private readonly StagedEditor<T>?[] _spareEditors = new StagedEditor<T>?[16];

    internal DocumentCollection(DocumentSet set, IPartSerializer<T> serializer, CollectionOptions<T> options)
    {
        _set = set;
        Options = options;
        var check = set.RoundTripCheck;
        _codec = new PartCodec<T>(serializer, check == RoundTripCheck.Never ? null : new RoundTrip<T>(serializer, check), options.ExpiresAt);
        _expiry = options.ExpiresAt is null ? null : new Expiry<T>(_codec, set.Time);
    }

    internal IPartSerializer<T> Serializer => _codec.Serializer;

    internal CollectionOptions<T> Options { get; }

    /// <summary>
    /// The maximum number of attempts of a call that finds the handle closed each time. A conflict of one call closes the handle for all waiting calls. So with
    /// retries of conflicts, each call allows as many closings as conflicts.
    /// </summary>
    private int MostAttempts => Options.OnConflict == OnConflict.Retry ? Math.Max(MaxAttempts, Options.MaxConflicts) : MaxAttempts;

    /// <summary>Returns the object's own value when it is durable; null for an absent value.</summary>
    /// <param name="id">The object's id.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="InvalidKeyException">The id can't be part of a key.</exception>
    /// <exception cref="InvalidOperationException">A function of the same object has made the call.</exception>
    /// <exception cref="FillFailedException">The object could not be read from the store.</exception>
    /// <exception cref="NotAppliedException">The changes that the call has seen are certainly not in the store.</exception>
    /// <exception cref="OutcomeUnknownException">The changes that the call has seen may or may not be in the store.</exception>
    /// <exception cref="HandleClosedException">The object's key failed repeatedly during the call.</exception>
    /// <exception cref="ObjectTooLargeException">The stored object exceeds the options' bounds.</exception>
    /// <exception cref="PartSerializationException">The stored bytes could not be deserialized.</exception>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">The store has been stopped.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public ValueTask<T?> GetAsync(string id, CancellationToken cancellationToken = default) => _set.IsFresh
        ? ReadAsync(id, 0, static (view, _) => view[string.Empty], cancellationToken)
        : PeekAsync(id, Options.EffectiveFreshness, cancellationToken);

    /// <summary><see cref="GetAsync(string, CancellationToken)"/> with a freshness for this call.</summary>
    /// <param name="id">The object's id.</param>
    /// <param name="freshness">The source of the answer: <see cref="Freshness.Memory"/> or <see cref="Freshness.Confirmed"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="FencedException">With <see cref="Freshness.Confirmed"/>: another process has claimed the object.</exception>
    /// <exception cref="UnconfirmedException">With <see cref="Freshness.Confirmed"/>: the store could not be asked.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><see cref="Freshness.Store"/> is an option of collections only.</exception>
    public ValueTask<T?> GetAsync(string id, Freshness freshness, CancellationToken cancellationToken = default)
    {
        CheckForOneCall(freshness);
        return PeekAsync(id, freshness, cancellationToken);
    }

    /// <summary>
    /// Returns the own values of several objects when all of them are durable; null for absent values. Reads of objects that are not in memory share
    /// store requests.
    /// </summary>
    /// <param name="ids">The objects' ids. The returned values may be of different moments.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The values, in the order of the ids.</returns>
    /// <inheritdoc cref="GetAsync(string, CancellationToken)" path="/exception"/>
    public async ValueTask<IReadOnlyList<T?>> GetManyAsync(IReadOnlyList<string> ids, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(ids);
        var calls = new Task<T?>[ids.Count];
        for (var i = 0; i < calls.Length; i++)
            calls[i] = GetAsync(ids[i], cancellationToken).AsTask();
        return await Task.WhenAll(calls).ConfigureAwait(false);
    }

    /// <summary>
    /// Reads several objects as <see cref="GetManyAsync"/> does, with a result for each: an object that can't be read does not hide the others.
    /// </summary>
    /// <param name="ids">The objects' ids. The returned values may be of different moments.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The results, in the order of the ids.</returns>
    /// <exception cref="OperationCanceledException">The caller has stopped waiting.</exception>
    public async ValueTask<IReadOnlyList<ReadResult<T>>> TryGetManyAsync(IReadOnlyList<string> ids, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(ids);
        var calls = new Task<T?>[ids.Count];
        for (var i = 0; i < calls.Length; i++)
            calls[i] = GetAsync(ids[i], cancellationToken).AsTask();
        await Task.WhenAll((Task[])calls).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (Array.Exists(calls, static call => call.IsCanceled))
            cancellationToken.ThrowIfCancellationRequested();
        return [.. calls.Select((call, i) => new ReadResult<T>(ids[i], call.IsCompletedSuccessfully ? call.Result : null, ErrorOf(call)))];

        static Exception? ErrorOf(Task call) => call.IsCanceled ? new TaskCanceledException(call) : call.Exception?.InnerException;
    }

    /// <summary>
    /// Lists the ids of the objects that the store contains, in no particular order. Changes that are not durable yet do not appear. Each object that exists
    /// throughout the listing appears once; an object created or deleted meanwhile may be missing. An expired object is listed until it is swept. The listing
    /// reads and holds one page at a time.
    /// </summary>
    /// <param name="prefix">The prefix of the ids; empty for all ids.</param>
    /// <param name="cancellationToken">Ends the listing.</param>
    /// <exception cref="StoreException">The store could not be asked, for longer than <see cref="StoutOptions.UnreachableTimeout"/>.</exception>
    /// <exception cref="NotSupportedException">The store's proxy can't list: <see cref="StorageCapabilities.Lists"/>.</exception>
    /// <exception cref="StoppedException">The store has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The store is not open yet.</exception>
    public IAsyncEnumerable<string> ListAsync(string prefix = "", CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        return _set.ListAsync(prefix, cancellationToken);
    }

    /// <summary>
    /// Changes the object's own value with a function, and returns when the change is durable. If the function throws, nothing has changed.
    /// </summary>
    /// <param name="id">The object's id.</param>
    /// <param name="change">Receives the value, or null, and returns the new one. Returning null removes the value, and deletes an object without
    /// other parts. A result with the same bytes as the old value is not written, unless it is a value that expires.</param>
    /// <param name="cancellationToken">Ends the wait; the change stays.</param>
    /// <returns>The new value.</returns>
    /// <exception cref="InvalidKeyException">The id can't be part of a key, or a part's name can't be a sub-key; nothing was changed.</exception>
    /// <exception cref="InvalidOperationException">A function of the same object has made the call; nothing was changed.</exception>
    /// <exception cref="FillFailedException">The object could not be read from the store; nothing was changed.</exception>
    /// <exception cref="NotAppliedException">The changes that the call has seen or made are certainly not in the store. <see cref="ConflictException"/>
    /// means that another process has written the object.</exception>
    /// <exception cref="OutcomeUnknownException">The changes that the call has seen or made may or may not be in the store.</exception>
    /// <exception cref="HandleClosedException">The object's key failed repeatedly during the call; nothing was changed.</exception>
    /// <exception cref="ChangeTooLargeException">The change exceeds the limits of one store request; nothing was changed.</exception>
    /// <exception cref="ObjectTooLargeException">The object exceeds the options' bounds, or would exceed them after the change; nothing was
    /// changed.</exception>
    /// <exception cref="PartSerializationException">A value could not be serialized, or bytes could not be deserialized; nothing was changed.</exception>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail; nothing was changed.</exception>
    /// <exception cref="StoppedException">The store has been stopped; nothing was changed.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled; the change stays if its function has run.</exception>
    public ValueTask<T?> UpdateAsync(string id, Func<T?, T?> change, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(change);
        return ChangeAsync(
            id,
            change,
            static (editor, change) => Update(editor, change(editor[string.Empty])),
            isShown: false,
            cancellationToken);
    }

    /// <summary>
    /// Replaces the object's own value, even if the bytes of the old value cannot be deserialized. Returns when the new value is durable. A value with the same
    /// bytes as the old one is not written, unless it expires.
    /// </summary>
    /// <param name="id">The object's id.</param>
    /// <param name="value">The new value.</param>
    /// <param name="cancellationToken">Ends the wait; the change stays.</param>
    /// <inheritdoc cref="UpdateAsync(string, Func{T, T}, CancellationToken)" path="/exception"/>
    public async ValueTask SetAsync(string id, T value, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        await ChangeAsync(
            id,
            value,
            static (editor, value) =>
            {
                editor.Set(string.Empty, value);
                return true;
            },
            isShown: false,
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary><see cref="UpdateAsync(string, Func{T, T}, CancellationToken)"/> with a state for the function, which avoids a closure.</summary>
    /// <typeparam name="TState">The type of the function's state.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="change">Receives the value, or null, and the state, and returns the new value.</param>
    /// <param name="cancellationToken">Ends the wait; the change stays.</param>
    /// <returns>The new value.</returns>
    /// <inheritdoc cref="UpdateAsync(string, Func{T, T}, CancellationToken)" path="/exception"/>
    public ValueTask<T?> UpdateAsync<TState>(string id, TState state, Func<T?, TState, T?> change, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(change);
        return ChangeAsync(
            id,
            (State: state, Change: change),
            static (editor, call) => Update(editor, call.Change(editor[string.Empty], call.State)),
            isShown: false,
            cancellationToken);
    }

    /// <summary>Reads the object's parts with a function. Returns when everything that the function may have seen is durable.</summary>
    /// <typeparam name="TResult">The type of the function's result.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="read">Sees all parts as of one moment.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The function's result.</returns>
    /// <inheritdoc cref="GetAsync(string, CancellationToken)" path="/exception"/>
    public ValueTask<TResult> ReadAsync<TResult>(string id, Func<DocumentView<T>, TResult> read, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(read);
        SynchronousFunction.Require<TResult>(nameof(read));
        return ReadAsync(id, read, static (view, read) => read(view), cancellationToken);
    }

    /// <summary><see cref="ReadAsync{TResult}(string, Func{DocumentView{T}, TResult}, CancellationToken)"/> with a freshness for this call.</summary>
    /// <typeparam name="TResult">The type of the function's result.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="read">Sees all parts as of one moment.</param>
    /// <param name="freshness">The source of the answer: <see cref="Freshness.Memory"/> or <see cref="Freshness.Confirmed"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The function's result.</returns>
    /// <exception cref="FencedException">With <see cref="Freshness.Confirmed"/>: another process has claimed the object.</exception>
    /// <exception cref="UnconfirmedException">With <see cref="Freshness.Confirmed"/>: the store could not be asked.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><see cref="Freshness.Store"/> is an option of collections only.</exception>
    public ValueTask<TResult> ReadAsync<TResult>(
        string id, Func<DocumentView<T>, TResult> read, Freshness freshness, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(read);
        SynchronousFunction.Require<TResult>(nameof(read));
        CheckForOneCall(freshness);
        return ReadAsync(id, read, static (view, read) => read(view), began: 0, freshness, cancellationToken);
    }

    /// <summary>
    /// <see cref="ReadAsync{TResult}(string, Func{DocumentView{T}, TResult}, CancellationToken)"/> with a state for the function, which avoids a closure.
    /// </summary>
    /// <typeparam name="TState">The type of the function's state.</typeparam>
    /// <typeparam name="TResult">The type of the function's result.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="read">Sees all parts as of one moment.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The function's result.</returns>
    /// <inheritdoc cref="GetAsync(string, CancellationToken)" path="/exception"/>
    public ValueTask<TResult> ReadAsync<TState, TResult>(
        string id, TState state, Func<DocumentView<T>, TState, TResult> read, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(read);
        SynchronousFunction.Require<TResult>(nameof(read));
        return ReadAsync(id, state, read, _set.NextMoment(), Options.EffectiveFreshness, cancellationToken);
    }

    /// <summary>
    /// Changes the object's parts with a function. All its changes become durable together, before the call returns. If the function throws, nothing
    /// has changed.
    /// </summary>
    /// <typeparam name="TResult">The type of the function's result.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="change">Reads and changes the parts.</param>
    /// <param name="cancellationToken">Ends the wait; the change stays.</param>
    /// <returns>The function's result.</returns>
    /// <inheritdoc cref="UpdateAsync(string, Func{T, T}, CancellationToken)" path="/exception"/>
    public ValueTask<TResult> ChangeAsync<TResult>(string id, Func<DocumentEditor<T>, TResult> change, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(change);
        SynchronousFunction.Require<TResult>(nameof(change));
        return ChangeAsync(id, change, static (editor, change) => change(editor), isShown: true, cancellationToken);
    }

    /// <summary><see cref="ChangeAsync{TResult}(string, Func{DocumentEditor{T}, TResult}, CancellationToken)"/> with a state for the function, which avoids a closure.</summary>
    /// <typeparam name="TState">The type of the function's state.</typeparam>
    /// <typeparam name="TResult">The type of the function's result.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="change">Reads and changes the parts.</param>
    /// <param name="cancellationToken">Ends the wait; the change stays.</param>
    /// <returns>The function's result.</returns>
    /// <inheritdoc cref="UpdateAsync(string, Func{T, T}, CancellationToken)" path="/exception"/>
    public ValueTask<TResult> ChangeAsync<TState, TResult>(
        string id, TState state, Func<DocumentEditor<T>, TState, TResult> change, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(change);
        SynchronousFunction.Require<TResult>(nameof(change));
        return ChangeAsync(id, state, change, isShown: true, cancellationToken);
    }

    /// <summary>Deletes the object with all its parts. Returns when the deletion is durable.</summary>
    /// <param name="id">The object's id.</param>
    /// <param name="cancellationToken">Ends the wait; the change stays.</param>
    /// <returns>Whether the object existed.</returns>
    /// <inheritdoc cref="UpdateAsync(string, Func{T, T}, CancellationToken)" path="/exception"/>
    public ValueTask<bool> DeleteAsync(string id, CancellationToken cancellationToken = default) => ChangeAsync(
        id,
        0,
        static (editor, _) =>
        {
            var existed = editor.Exists;
            editor.Delete();
            return existed;
        },
        isShown: false,
        cancellationToken);
}
