using System.Numerics;
using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql.Isolation;

/// <summary>
/// Sends a request of many keys so that a key which the server refuses fails alone. The server reports an error for a whole transaction, so
/// a refused request is halved until the keys at fault are alone. That takes 2·log₂(n) requests for one such key among n.
/// </summary>
/// <param name="suspects">Keys that were refused lately.</param>
internal abstract class KeyIsolation(SuspectKeys suspects)
{
    private readonly List<(int Index, StoreException Error)> _failedAlone = [];
    private int _commonFailures;
    private bool _hasSucceeded;

    /// <summary>
    /// Whether an error may concern one key of a request, so that the other keys deserve another attempt. A trigger can report almost any
    /// SQLSTATE, so errors that ended a transaction qualify; an error that ended or prevented a connection is FATAL. An unreachable server
    /// opens the circuit, and the lane itself halves a request that exceeded a limit.
    /// </summary>
    public static bool MayConcernOneKey(StoreException error) =>
        error.Kind is StoreErrorKind.Busy
        || (error.Kind is not (StoreErrorKind.Unreachable or StoreErrorKind.LimitExceeded) && error.InnerException is PostgresException { InvariantSeverity: "ERROR" });

    protected abstract int Count { get; }

    protected abstract PartitionKey KeyOf(int index);

    /// <summary>Whether the key has no outcome yet.</summary>
    protected abstract bool IsOpen(int index);

    /// <summary>Sends some of the keys as one transaction.</summary>
    /// <param name="indexes">The keys.</param>
    /// <param name="isPatient">Whether the server waits for locks that can't be skipped.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    protected abstract ValueTask SendAsync(IReadOnlyList<int> indexes, bool isPatient, CancellationToken cancellationToken);

    protected abstract void Fail(int index, StoreException error);

    /// <summary>Sends every key that has no outcome.</summary>
    /// <param name="refused">The error of an attempt with all keys together; null if there was none.</param>
    /// <param name="cancellationToken">Ends the calls.</param>
    /// <exception cref="StoreException">An error that is not one key's. It holds for every key that has no outcome.</exception>
    public async ValueTask RunAsync(StoreException? refused, CancellationToken cancellationToken)
    {
        var open = Enumerable.Range(0, Count).Where(IsOpen).ToList();
        if (refused is not null)
        {
            await SplitAsync(open, refused, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            await TryAsync(open.FindAll(index => !suspects.Contains(KeyOf(index))), isPatient: true, cancellationToken).ConfigureAwait(false);
            await TryAsync(open.FindAll(index => IsOpen(index) && suspects.Contains(KeyOf(index))), isPatient: false, cancellationToken).ConfigureAwait(false);
        }

        if (_hasSucceeded)
            BlameKeys();
    }

    private async ValueTask TryAsync(List<int> indexes, bool isPatient, CancellationToken cancellationToken)
    {
        if (indexes.Count == 0)
            return;
        try
        {
            await SendAsync(indexes, isPatient, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error) when (MayConcernOneKey(error))
        {
            await SplitAsync(indexes, error, cancellationToken).ConfigureAwait(false);
            return;
        }

        _hasSucceeded = true;
        if (!suspects.Any)
            return;
        foreach (var index in indexes)
            suspects.Remove(KeyOf(index));
    }

    private async ValueTask SplitAsync(List<int> indexes, StoreException error, CancellationToken cancellationToken)
    {
        if (indexes.Count == 1)
        {
            _failedAlone.Add((indexes[0], error));
            if (IsOfKey(error))
                suspects.Add(KeyOf(indexes[0]));
            Fail(indexes[0], error);
            return;
        }

        ThrowIfAllFail(error);
        var half = indexes.Count / 2;
        await TryAsync(indexes.GetRange(0, half), isPatient: false, cancellationToken).ConfigureAwait(false);
        await TryAsync(indexes.GetRange(half, indexes.Count - half), isPatient: false, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Whether an error says by itself that it concerns a key, and not the server.</summary>
    private static bool IsOfKey(StoreException error) => error.Kind is StoreErrorKind.Refused or StoreErrorKind.Corrupt or StoreErrorKind.Busy;

    /// <summary>
    /// Where another key has succeeded, an error that usually concerns the whole server concerned the key. The key is busy then, so that the
    /// lane goes on with the other keys.
    /// </summary>
    private void BlameKeys()
    {
        foreach (var (index, error) in _failedAlone)
        {
            suspects.Add(KeyOf(index));
            if (error.Kind is StoreErrorKind.Overloaded)
                Fail(index, new StoreException(StoreErrorKind.Busy, $"The server fails this key alone: {error.Message}", error.InnerException));
        }
    }

    /// <summary>
    /// A lock on a whole table, or a full disk, stops every key, and the error does not tell it from one key's. One key at fault causes at
    /// most log₂(n) failures before another key succeeds.
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
