using System.Numerics;

namespace Stout.Storage;

/// <summary>
/// Isolates the keys that make a store refuse a whole transaction, so that the other keys succeed. A refused request is halved until the keys at
/// fault are alone: about 2·log₂(n) requests for one such key among n.
/// </summary>
/// <remarks>An instance serves one request, on one thread at a time. A request without such a key costs nothing more.</remarks>
/// <param name="suspects">The keys that recently failed alone. They are sent after the other keys, in requests of their own. Null: no keys are
/// remembered.</param>
/// <param name="budget">The time limit of halving, by the system's clock. After it each failing group gets one outcome as a whole. This happens if the
/// store is slow and very many keys are locked.</param>
public abstract class KeyIsolation(SuspectKeys? suspects, TimeSpan budget)
{
    private readonly List<(int Index, StoreException Error)> _failedAlone = [];
    private long? _began;
    private int _commonFailures;
    private bool _hasSucceeded;

    /// <summary>The number of keys.</summary>
    protected abstract int Count { get; }

    /// <summary>A key by its index, 0 to <see cref="Count"/> − 1.</summary>
    protected abstract PartitionKey KeyOf(int index);

    /// <summary>Whether a key has no outcome yet.</summary>
    protected abstract bool IsOpen(int index);

    /// <summary>Sends some of the keys as one transaction, and sets their outcomes if it succeeds.</summary>
    /// <param name="indexes">The keys. At least one.</param>
    /// <param name="isPatient">Whether the store waits for locks. It does not for suspect keys, nor for the halves of a refused request.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>
    /// An error that one of the keys alone may have caused; its kind tells whether the transaction was certainly not applied. Null if the transaction
    /// has succeeded.
    /// </returns>
    /// <exception cref="StoreException">An error that does not come from a single key.</exception>
    protected abstract ValueTask<StoreException?> SendAsync(IReadOnlyList<int> indexes, bool isPatient, CancellationToken cancellationToken);

    /// <summary>Sets the outcome of a failed key.</summary>
    protected abstract void Fail(int index, StoreException error);

    /// <summary>Sends every undecided key.</summary>
    /// <param name="refused">The error of an attempt with all keys together, or null.</param>
    /// <param name="cancellationToken">Ends the calls.</param>
    /// <exception cref="StoreException">An error that does not come from a single key. It applies to every undecided key.</exception>
    public async ValueTask RunAsync(StoreException? refused, CancellationToken cancellationToken)
    {
        var healthy = new List<int>(Count);
        var suspected = new List<int>();
        for (var index = 0; index < Count; index++)
        {
            if (IsOpen(index))
                (refused is null && suspects?.Contains(KeyOf(index)) == true ? suspected : healthy).Add(index);
        }

        if (refused is not null)
            await SplitAsync(healthy, refused, cancellationToken).ConfigureAwait(false);
        else
            await TryAsync(healthy, isPatient: true, cancellationToken).ConfigureAwait(false);
        await TryAsync(suspected, isPatient: false, cancellationToken).ConfigureAwait(false);
        if (_hasSucceeded)
            BlameKeys();
    }

    private async ValueTask TryAsync(List<int> indexes, bool isPatient, CancellationToken cancellationToken)
    {
        if (indexes.Count == 0)
            return;
        if (await SendAsync(indexes, isPatient, cancellationToken).ConfigureAwait(false) is { } error)
        {
            await SplitAsync(indexes, error, cancellationToken).ConfigureAwait(false);
            return;
        }

        _hasSucceeded = true;
        for (var i = 0; i < indexes.Count && suspects is { Any: true }; i++)
            suspects.Remove(KeyOf(indexes[i]));
    }

    private async ValueTask SplitAsync(List<int> indexes, StoreException error, CancellationToken cancellationToken)
    {
        if (indexes.Count == 1)
        {
            _failedAlone.Add((indexes[0], error));
            if (IsOfKey(error))
                suspects?.Add(KeyOf(indexes[0]));
            Fail(indexes[0], error);
            return;
        }

        ThrowIfAllFail(error);
        if (IsOverBudget())
        {
            FailTogether(indexes, error);
            return;
        }

        var half = indexes.Count / 2;
        await TryAsync(indexes.GetRange(0, half), isPatient: false, cancellationToken).ConfigureAwait(false);
        await TryAsync(indexes.GetRange(half, indexes.Count - half), isPatient: false, cancellationToken).ConfigureAwait(false);
    }

    private bool IsOverBudget()
    {
        _began ??= TimeProvider.System.GetTimestamp();
        return TimeProvider.System.GetElapsedTime(_began.Value) >= budget;
    }

    /// <summary>
    /// Fails a group of keys with one outcome. After a lock, all keys are busy. After any other error, which one key may have caused alone, all keys are
    /// unknown, and the lane repeats them.
    /// </summary>
    private void FailTogether(List<int> indexes, StoreException error)
    {
        var each = error.Kind == StoreErrorKind.Busy
            ? error
            : new StoreException(StoreErrorKind.Unknown, "The key shared its request with one that fails, and there was no time to tell which.", error);
        foreach (var index in indexes)
            Fail(index, each);
    }

    /// <summary>Whether an error always concerns a key, and not the whole store.</summary>
    private static bool IsOfKey(StoreException error) => error.Kind is StoreErrorKind.Refused or StoreErrorKind.Corrupt or StoreErrorKind.Busy;

    /// <summary>
    /// Called if another key has succeeded. An overload of a key that failed alone then concerned this key and not the whole store, so the key counts as
    /// busy. The lane goes on with the other keys.
    /// </summary>
    private void BlameKeys()
    {
        foreach (var (index, error) in _failedAlone)
        {
            suspects?.Add(KeyOf(index));
            if (error.Kind is StoreErrorKind.Overloaded)
                Fail(index, new StoreException(StoreErrorKind.Busy, $"The store fails this key alone: {error.Message}", error.InnerException));
        }
    }

    /// <summary>
    /// Throws if more attempts have failed, without a success, than one key at fault can cause: about log₂(n). All keys then fail, for example by a lock on
    /// the whole table or a full disk. Refused and damaged keys do not count.
    /// </summary>
    private void ThrowIfAllFail(StoreException error)
    {
        if (error.Kind is StoreErrorKind.Refused or StoreErrorKind.Corrupt || _hasSucceeded || ++_commonFailures <= 4 + BitOperations.Log2((uint)Count))
            return;
        throw error.Kind == StoreErrorKind.Busy
            ? new StoreException(StoreErrorKind.Overloaded, "Another transaction holds what every key needs.", error.InnerException)
            : error;
    }
}
