using System.ComponentModel;
using System.Runtime.CompilerServices;

// The token stays before the parameter that callers never pass, so that these overloads fit the calls of the others.
#pragma warning disable CA1068

namespace Stout.Documents;

/// <content>
/// Overloads that turn asynchronous functions into compile-time errors. The constraint removes them for every other result. Their priority lets them win over
/// the overloads whose result could be any type.
/// </content>
public sealed partial class DocumentCollection<T>
{
    /// <summary>Refuses an asynchronous function at compile time.</summary>
    /// <typeparam name="TTask">The function's result, a task.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="change">An asynchronous function.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="refused">Distinguishes this overload.</param>
    /// <returns>Nothing.</returns>
    /// <exception cref="ArgumentException">Always.</exception>
    [Obsolete(SynchronousFunction.Message, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    [OverloadResolutionPriority(1)]
    public ValueTask<TTask> UpdateAsync<TTask>(
        string id, Func<T?, TTask> change, CancellationToken cancellationToken = default, SynchronousFunction? refused = null)
        where TTask : Task =>
        throw new ArgumentException(SynchronousFunction.Message, nameof(change));

    /// <summary>Refuses an asynchronous function at compile time.</summary>
    /// <typeparam name="TState">The type of the function's state.</typeparam>
    /// <typeparam name="TTask">The function's result, a task.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="change">An asynchronous function.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="refused">Distinguishes this overload.</param>
    /// <returns>Nothing.</returns>
    /// <exception cref="ArgumentException">Always.</exception>
    [Obsolete(SynchronousFunction.Message, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    [OverloadResolutionPriority(1)]
    public ValueTask<TTask> UpdateAsync<TState, TTask>(
        string id, TState state, Func<T?, TState, TTask> change, CancellationToken cancellationToken = default, SynchronousFunction? refused = null)
        where TTask : Task =>
        throw new ArgumentException(SynchronousFunction.Message, nameof(change));

    /// <summary>Refuses an asynchronous function at compile time.</summary>
    /// <typeparam name="TTask">The function's result, a task.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="read">An asynchronous function.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="refused">Distinguishes this overload.</param>
    /// <returns>Nothing.</returns>
    /// <exception cref="ArgumentException">Always.</exception>
    [Obsolete(SynchronousFunction.Message, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    [OverloadResolutionPriority(1)]
    public ValueTask<TTask> ReadAsync<TTask>(
        string id, Func<DocumentView<T>, TTask> read, CancellationToken cancellationToken = default, SynchronousFunction? refused = null)
        where TTask : Task =>
        throw new ArgumentException(SynchronousFunction.Message, nameof(read));

    /// <summary>Refuses an asynchronous function at compile time.</summary>
    /// <typeparam name="TTask">The function's result, a task.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="read">An asynchronous function.</param>
    /// <param name="freshness">The source of the answer.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="refused">Distinguishes this overload.</param>
    /// <returns>Nothing.</returns>
    /// <exception cref="ArgumentException">Always.</exception>
    [Obsolete(SynchronousFunction.Message, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    [OverloadResolutionPriority(1)]
    public ValueTask<TTask> ReadAsync<TTask>(
        string id, Func<DocumentView<T>, TTask> read, Freshness freshness, CancellationToken cancellationToken = default, SynchronousFunction? refused = null)
        where TTask : Task =>
        throw new ArgumentException(SynchronousFunction.Message, nameof(read));

    /// <summary>Refuses an asynchronous function at compile time.</summary>
    /// <typeparam name="TState">The type of the function's state.</typeparam>
    /// <typeparam name="TTask">The function's result, a task.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="read">An asynchronous function.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="refused">Distinguishes this overload.</param>
    /// <returns>Nothing.</returns>
    /// <exception cref="ArgumentException">Always.</exception>
    [Obsolete(SynchronousFunction.Message, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    [OverloadResolutionPriority(1)]
    public ValueTask<TTask> ReadAsync<TState, TTask>(
        string id, TState state, Func<DocumentView<T>, TState, TTask> read, CancellationToken cancellationToken = default, SynchronousFunction? refused = null)
        where TTask : Task =>
        throw new ArgumentException(SynchronousFunction.Message, nameof(read));

    /// <summary>Refuses an asynchronous function at compile time.</summary>
    /// <typeparam name="TTask">The function's result, a task.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="change">An asynchronous function.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="refused">Distinguishes this overload.</param>
    /// <returns>Nothing.</returns>
    /// <exception cref="ArgumentException">Always.</exception>
    [Obsolete(SynchronousFunction.Message, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    [OverloadResolutionPriority(1)]
    public ValueTask<TTask> ChangeAsync<TTask>(
        string id, Func<DocumentEditor<T>, TTask> change, CancellationToken cancellationToken = default, SynchronousFunction? refused = null)
        where TTask : Task =>
        throw new ArgumentException(SynchronousFunction.Message, nameof(change));

    /// <summary>Refuses an asynchronous function at compile time.</summary>
    /// <typeparam name="TState">The type of the function's state.</typeparam>
    /// <typeparam name="TTask">The function's result, a task.</typeparam>
    /// <param name="id">The object's id.</param>
    /// <param name="state">Passed to the function.</param>
    /// <param name="change">An asynchronous function.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="refused">Distinguishes this overload.</param>
    /// <returns>Nothing.</returns>
    /// <exception cref="ArgumentException">Always.</exception>
    [Obsolete(SynchronousFunction.Message, error: true)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    [OverloadResolutionPriority(1)]
    public ValueTask<TTask> ChangeAsync<TState, TTask>(
        string id, TState state, Func<DocumentEditor<T>, TState, TTask> change, CancellationToken cancellationToken = default, SynchronousFunction? refused = null)
        where TTask : Task =>
        throw new ArgumentException(SynchronousFunction.Message, nameof(change));
}
