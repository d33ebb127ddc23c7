using System.ComponentModel;
using System.Runtime.CompilerServices;
using Orleans.Runtime;
using Orleans.Storage;

namespace Stout.Orleans;

/// <summary>
/// A state of a grain, as <see cref="StoutStateAttribute"/> injects it. The grain changes it in memory. The reply of each call waits until everything
/// that the call saw and did is durable (the paper, section 4.4). While a reply waits, further calls of a grain that is <see
/// cref="global::Orleans.Concurrency.ReentrantAttribute"/> run, and their changes share a write.
/// </summary>
/// <remarks>
/// All members must be called in the grain's own turns. A value must be changed only inside <see cref="Change{TResult}(Func{T, TResult}, string)"/>. When a change can't be made
/// durable, the activation is deactivated, since its memory is ahead of the store. The callers that wait for the change get the error.
/// </remarks>
/// <typeparam name="T">The type of the value, and of the values of parts.</typeparam>
public interface IStoutState<T>
    where T : class
{
    /// <summary>The value; null if it is missing.</summary>
    /// <exception cref="InconsistentStateException">Another activation owns the state.</exception>
    T? Value { get; }

    /// <summary>The names of the parts that have a value. The state's own value, which has no name, is not among them.</summary>
    IReadOnlyCollection<string> Parts { get; }

    /// <summary>
    /// The epoch of this activation's claim: 1 or more. Each claim of the state has a higher epoch than the one before, and a migration makes a claim,
    /// too. Other systems can use the epoch as a fencing token. A call with a lower epoch than an earlier call's comes from a former activation, so they
    /// refuse it.
    /// </summary>
    long Epoch { get; }

    /// <summary>The value of a part; null if it is missing.</summary>
    /// <param name="part">The part's name.</param>
    T? GetPart(string part);

    /// <summary>
    /// Changes the state's value, or the value of a part. If there is no value, the function gets a new one. The change becomes durable as a whole, or
    /// not at all.
    /// </summary>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="change">Changes the value. If it throws without a change, the caller gets the exception and the state stays as before. If it
    /// throws after a change, the activation is deactivated as well.</param>
    /// <param name="part">The name of a part: up to 128 bytes of UTF-8, and no '$' at the beginning. Empty, the default, for the value itself.</param>
    /// <returns>The function's result.</returns>
    /// <exception cref="GrainStateSerializationException">The serializer has thrown. The activation is deactivated.</exception>
    /// <exception cref="GrainStateTooLargeException">The changed value is larger than the store allows. The activation is deactivated.</exception>
    /// <exception cref="InconsistentStateException">Another activation owns the state.</exception>
    /// <exception cref="ArgumentException">The result's type is that of an asynchronous function. The state stays as before.</exception>
    TResult Change<TResult>(Func<T, TResult> change, string part = "");

    /// <inheritdoc cref="Change{TResult}(Func{T, TResult}, string)"/>
    void Change(Action<T> change, string part = "");

    /// <summary>
    /// Refuses an asynchronous function at compile time. Without this overload, such a function would count as one whose result is a task.
    /// </summary>
    /// <typeparam name="TTask">The function's result, a task.</typeparam>
    /// <param name="change">An asynchronous function.</param>
    /// <param name="part">As in <see cref="Change{TResult}(Func{T, TResult}, string)"/>.</param>
    /// <param name="refused">Distinguishes this overload.</param>
    /// <returns>Nothing.</returns>
    /// <exception cref="ArgumentException">Always.</exception>
    [Obsolete(SynchronousFunction.Message, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    [OverloadResolutionPriority(1)]
    TTask Change<TTask>(Func<T, TTask> change, string part = "", SynchronousFunction? refused = null)
        where TTask : Task =>
        throw new ArgumentException(SynchronousFunction.Message, nameof(change));

    /// <summary>Sets the value, or that of a part. Nothing changes if the value can't be serialized or is too large.</summary>
    /// <param name="value">The value; the state keeps this object.</param>
    /// <param name="part">As in <see cref="Change{TResult}(Func{T, TResult}, string)"/>.</param>
    void Set(T value, string part = "");

    /// <summary>Removes the value, or that of a part.</summary>
    /// <param name="part">As in <see cref="Change{TResult}(Func{T, TResult}, string)"/>.</param>
    /// <returns>Whether there was a value.</returns>
    bool Remove(string part = "");

    /// <summary>Removes the value and all parts.</summary>
    void Clear();

    /// <summary>
    /// Completes when all changes up to now are durable. Replies wait for that by themselves. A grain calls this method in the middle of a call, before
    /// it tells other systems of a change.
    /// </summary>
    /// <param name="cancellationToken">Stops the waiting, never the change.</param>
    /// <exception cref="GrainStateNotWrittenException">Changes are certainly not in the store.</exception>
    /// <exception cref="GrainStateOutcomeUnknownException">Changes may or may not be in the store.</exception>
    /// <exception cref="InconsistentStateException">Another activation owns the state.</exception>
    ValueTask WhenSafeAsync(CancellationToken cancellationToken = default);

    /// <summary>
    /// Completes when all changes up to now are durable, and the store has confirmed that this activation still owns the state. The store is asked after
    /// this call, so no other activation had changed the state before the call. With <see cref="StoutStateAttribute.ConfirmReads"/> every reply waits for
    /// this confirmation.
    /// </summary>
    /// <inheritdoc cref="WhenSafeAsync" path="/param|/exception"/>
    /// <exception cref="GrainStateNotReadException">The store could not be asked. Nothing has changed, and the activation goes on.</exception>
    ValueTask ConfirmAsync(CancellationToken cancellationToken = default);
}
