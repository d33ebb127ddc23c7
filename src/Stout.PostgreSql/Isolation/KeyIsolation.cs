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
    private int _lockFailures;
    private bool _hasSucceeded;

    /// <summary>Whether an error may concern one key of a request, so that the other keys deserve another attempt.</summary>
    public static bool MayConcernOneKey(StoreException error) =>
        error.Kind is StoreErrorKind.Busy
        || (error.Kind is StoreErrorKind.Refused or StoreErrorKind.Corrupt
            && error.InnerException is PostgresException answer && !answer.SqlState.StartsWith("28", StringComparison.Ordinal));

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
            return;
        }

        await TryAsync(open.FindAll(index => !suspects.Contains(KeyOf(index))), isPatient: true, cancellationToken).ConfigureAwait(false);
        await TryAsync(open.FindAll(index => IsOpen(index) && suspects.Contains(KeyOf(index))), isPatient: false, cancellationToken).ConfigureAwait(false);
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
            suspects.Add(KeyOf(indexes[0]));
            Fail(indexes[0], error);
            return;
        }

        ThrowIfAllAreLocked(error);
        var half = indexes.Count / 2;
        await TryAsync(indexes.GetRange(0, half), isPatient: false, cancellationToken).ConfigureAwait(false);
        await TryAsync(indexes.GetRange(half, indexes.Count - half), isPatient: false, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// A lock on a whole table stops every key, and the error does not say which kind of lock it was. One locked key needs at most log₂(n)
    /// failures before another key succeeds.
    /// </summary>
    private void ThrowIfAllAreLocked(StoreException error)
    {
        if (error.Kind == StoreErrorKind.Busy && !_hasSucceeded && ++_lockFailures > 4 + BitOperations.Log2((uint)Count))
            throw new StoreException(StoreErrorKind.Overloaded, "Another transaction holds what every key needs.", error.InnerException);
    }
}
