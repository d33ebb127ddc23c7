using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Stout;

/// <content>
/// Overloads that turn asynchronous callbacks into compile-time errors. As a <see cref="MessageCallback{TState}"/>, such a callback would be <c>async void</c>:
/// its exceptions end the process, and the next message does not wait for it.
/// </content>
public sealed partial class KeyHandle
{
    /// <summary>Refuses an asynchronous callback at compile time.</summary>
    /// <typeparam name="TState">The type of the callback's state.</typeparam>
    /// <typeparam name="TTask">The callback's result, a task.</typeparam>
    /// <param name="part">The part.</param>
    /// <param name="state">Passed to the callback.</param>
    /// <param name="whenSafe">An asynchronous callback.</param>
    /// <exception cref="ArgumentException">Always.</exception>
    [Obsolete(SynchronousFunction.CallbackMessage, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    [OverloadResolutionPriority(1)]
    public void MarkDirty<TState, TTask>(SubKey part, TState state, Func<TState, MessageRelease, TTask> whenSafe)
        where TTask : Task =>
        throw new ArgumentException(SynchronousFunction.CallbackMessage, nameof(whenSafe));

    /// <summary>Refuses an asynchronous callback at compile time.</summary>
    /// <typeparam name="TState">The type of the callback's state.</typeparam>
    /// <typeparam name="TTask">The callback's result, a task.</typeparam>
    /// <param name="state">Passed to the callback.</param>
    /// <param name="callback">An asynchronous callback.</param>
    /// <exception cref="ArgumentException">Always.</exception>
    [Obsolete(SynchronousFunction.CallbackMessage, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    [OverloadResolutionPriority(1)]
    public void SendMessageWhenSafe<TState, TTask>(TState state, Func<TState, MessageRelease, TTask> callback)
        where TTask : Task =>
        throw new ArgumentException(SynchronousFunction.CallbackMessage, nameof(callback));
}
