using System.Runtime.CompilerServices;
using Stout.Storage;

namespace Stout.Documents;

/// <summary>
/// A collection of objects. An object is a set of parts, each of type T; most have just one, the object's own value, whose name is
/// the empty string. An object that was never written is no error: it has no parts.
/// </summary>
/// <remarks>
/// <para>An id is any well-formed text of 1 character or more that fits, with the collection's name and one character between, into
/// <see cref="PartitionKey.MaxBytes"/>. Ids and part names are compared unit by unit: no case folding, no normalization.</para>
/// <para>Functions run under the object's lock, one at a time, and must not wait for another call on the same object. Any may be run
/// again, on the object as it was read anew, if the object's key has failed while it ran: it should have no effects but on its editor.</para>
/// <para>Every call waits until all that it has seen and done is durable, also when its function throws: an exception is a reply, and
/// may tell what the function saw. Cancelling stops the waiting; a change whose function has run stays, and becomes durable.</para>
/// <para>If a change can't be made durable, every call that has seen it fails with the change's error, in place of its result or of the
/// exception that its function threw. The next call sees what the store holds.</para>
/// </remarks>
/// <typeparam name="T">The type of the parts.</typeparam>
/// <exception cref="InvalidKeyException">The id can't be part of a key, or a part's name can't be a sub-key.</exception>
/// <exception cref="FillFailedException">The object could not be read from the store.</exception>
/// <exception cref="NotAppliedException">What the call has seen or done is certainly not in the store.</exception>
/// <exception cref="OutcomeUnknownException">What the call has seen or done may or may not be in the store.</exception>
/// <exception cref="HandleClosedException">The object's key failed again and again while the call ran; nothing was changed.</exception>
/// <exception cref="ChangeTooLargeException">The store can't commit so much at once; nothing was changed.</exception>
/// <exception cref="ObjectTooLargeException">The object is larger than the options allow, or would be; nothing was changed.</exception>
/// <exception cref="PartSerializationException">A value could not be made into bytes, or bytes not into a value; nothing was changed.</exception>
/// <exception cref="OverloadException">Too much is undurable, and the options say to fail; nothing was changed.</exception>
/// <exception cref="StoppedException">The store has been stopped; nothing was changed.</exception>
public sealed partial class DocumentCollection<T>
    where T : class
{
    /// <summary>A key that fails so often in the middle of a change has a trouble that its caller should know of.</summary>
    private const int MaxAttempts = 3;

    private readonly DocumentSet _set;
    private readonly PartCodec<T> _codec;

    // One for each of a few threads: functions of different objects run side by side.
    private readonly StagedEditor<T>?[] _spareEditors = new StagedEditor<T>?[16];

    internal DocumentCollection(DocumentSet set, IPartSerializer<T> serializer)
    {
        _set = set;
        var check = set.RoundTripCheck;
        _codec = new PartCodec<T>(serializer, check == RoundTripCheck.Never ? null : new RoundTrip<T>(serializer, check));
    }

    internal IPartSerializer<T> Serializer => _codec.Serializer;

    internal CollectionOptions Options => _set.Collection;

    /// <summary>A conflict of one call closes the object for all that wait at it: with retries, each of them bears as many.</summary>
    private int MostAttempts => Options.OnConflict == OnConflict.Retry ? Math.Max(MaxAttempts, Options.MaxConflicts) : MaxAttempts;

    /// <summary>The object's own value, durable; null if there is none.</summary>
    /// <param name="id">The object.</param>
    /// <param name="cancellationToken">Stops the waiting.</param>
    public ValueTask<T?> GetAsync(string id, CancellationToken cancellationToken = default) => _set.IsFresh
        ? ReadAsync(id, 0, static (view, _) => view[string.Empty], cancellationToken)
        : PeekAsync(id, cancellationToken);

    /// <summary>The own values of several objects, each durable; null for one that has none. The store reads together what is not in memory.</summary>
    /// <param name="ids">The objects. The values are of no common moment.</param>
    /// <param name="cancellationToken">Stops the waiting.</param>
    /// <returns>The values, in the order of the ids.</returns>
    public async ValueTask<IReadOnlyList<T?>> GetManyAsync(IReadOnlyList<string> ids, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(ids);
        var calls = new Task<T?>[ids.Count];
        for (var i = 0; i < calls.Length; i++)
            calls[i] = GetAsync(ids[i], cancellationToken).AsTask();
        return await Task.WhenAll(calls).ConfigureAwait(false);
    }

    /// <summary>
    /// Lists the ids of the objects that the store holds, durable ones, in no particular order. An object that exists all the time is listed once;
    /// one that is made or deleted meanwhile may be missing. Reads page by page, and holds one page in memory. What is not durable yet does not show.
    /// </summary>
    /// <param name="prefix">What the ids begin with; empty for all.</param>
    /// <param name="cancellationToken">Stops the listing.</param>
    /// <exception cref="StoreException">The store could not be asked, for longer than <see cref="StoutOptions.UnreachableTimeout"/>.</exception>
    /// <exception cref="NotSupportedException">The store's proxy can't list: <see cref="StorageCapabilities.Lists"/>.</exception>
    public IAsyncEnumerable<string> ListAsync(string prefix = "", CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        return _set.ListAsync(prefix, cancellationToken);
    }

    /// <summary>Changes the object's own value by a function. Returns when the result is durable. If the function throws, nothing has changed.</summary>
    /// <param name="id">The object.</param>
    /// <param name="change">
    /// Gets the value, or null where there is none, and returns the new one. Null as the result removes the value; an object without
    /// other parts is deleted by that. A result with the same bytes as the old value is not written.
    /// </param>
    /// <param name="cancellationToken">Stops the waiting, never the change.</param>
    /// <returns>The new value.</returns>
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
    /// Sets the object's own value, whatever it was: also where the stored bytes can't be made into a value any more. Returns when the
    /// new one is durable. A value with the same bytes as the old one is not written.
    /// </summary>
    /// <param name="id">The object.</param>
    /// <param name="value">The new value.</param>
    /// <param name="cancellationToken">Stops the waiting, never the change.</param>
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

    /// <summary><see cref="UpdateAsync(string, Func{T, T}, CancellationToken)"/> with a state for the function, which saves a closure.</summary>
    /// <typeparam name="TState">The type of what the function needs.</typeparam>
    /// <param name="id">The object.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="change">Gets the value, or null where there is none, and returns the new one.</param>
    /// <param name="cancellationToken">Stops the waiting, never the change.</param>
    /// <returns>The new value.</returns>
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

    /// <summary>Reads the object's parts by a function. Returns when all that it may have seen is durable.</summary>
    /// <typeparam name="TResult">The type of the function's result.</typeparam>
    /// <param name="id">The object.</param>
    /// <param name="read">Sees all parts as of one moment.</param>
    /// <param name="cancellationToken">Stops the waiting.</param>
    /// <returns>The function's result.</returns>
    public ValueTask<TResult> ReadAsync<TResult>(string id, Func<DocumentView<T>, TResult> read, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(read);
        return ReadAsync(id, read, static (view, read) => read(view), cancellationToken);
    }

    /// <summary><see cref="ReadAsync{TResult}"/> with a state for the function, which saves a closure.</summary>
    /// <typeparam name="TState">The type of what the function needs.</typeparam>
    /// <typeparam name="TResult">The type of the function's result.</typeparam>
    /// <param name="id">The object.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="read">Sees all parts as of one moment.</param>
    /// <param name="cancellationToken">Stops the waiting.</param>
    /// <returns>The function's result.</returns>
    public async ValueTask<TResult> ReadAsync<TState, TResult>(
        string id, TState state, Func<DocumentView<T>, TState, TResult> read, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(read);
        var began = _set.NextMoment();
        for (var attempt = 1; ; attempt++)
        {
            var document = await _set.EnterAsync(id, toChange: false, cancellationToken).ConfigureAwait(false);
            var (reply, seen) = Run(document, state, read);
            if (!IsFresh(document, seen, began))
            {
                await RefreshAsync(document, seen, cancellationToken).ConfigureAwait(false);
                continue;
            }

            if (await IsDurableAsync(Wait(seen, cancellationToken), attempt, cancellationToken).ConfigureAwait(false))
                return reply.Leave();
        }
    }

    /// <summary>
    /// Changes the object's parts by a function. All its changes become durable together; returns when they are. If the function throws,
    /// nothing has changed.
    /// </summary>
    /// <typeparam name="TResult">The type of the function's result.</typeparam>
    /// <param name="id">The object.</param>
    /// <param name="change">Sees and changes the parts.</param>
    /// <param name="cancellationToken">Stops the waiting, never the change.</param>
    /// <returns>The function's result.</returns>
    public ValueTask<TResult> ChangeAsync<TResult>(string id, Func<DocumentEditor<T>, TResult> change, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(change);
        return ChangeAsync(id, change, static (editor, change) => change(editor), isShown: true, cancellationToken);
    }

    /// <summary><see cref="ChangeAsync{TResult}"/> with a state for the function, which saves a closure.</summary>
    /// <typeparam name="TState">The type of what the function needs.</typeparam>
    /// <typeparam name="TResult">The type of the function's result.</typeparam>
    /// <param name="id">The object.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="change">Sees and changes the parts.</param>
    /// <param name="cancellationToken">Stops the waiting, never the change.</param>
    /// <returns>The function's result.</returns>
    public ValueTask<TResult> ChangeAsync<TState, TResult>(
        string id, TState state, Func<DocumentEditor<T>, TState, TResult> change, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(change);
        return ChangeAsync(id, state, change, isShown: true, cancellationToken);
    }

    /// <summary>Deletes the object with all its parts. Returns when that is durable.</summary>
    /// <param name="id">The object.</param>
    /// <param name="cancellationToken">Stops the waiting, never the change.</param>
    /// <returns>Whether there was one.</returns>
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
