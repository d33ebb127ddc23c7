using Stout.Lanes.Shell;
using Stout.Storage;

namespace Stout.Documents;

/// <content>The expiry sweep: deletes the objects that expired more than <see cref="CollectionOptions{T}.MaxClockSkew"/> ago.</content>
public sealed partial class DocumentCollection<T>
{
    /// <summary>The number of objects that a sweep reads and deletes together. It bounds the sweep's memory and its load on the store.</summary>
    private const int SweptTogether = 64;

    /// <summary>Starts the sweep loop at the collection's interval. Returns null if the collection does not sweep.</summary>
    internal BackgroundLoop? StartSweeping()
    {
        if (!Options.Sweeps)
            return null;
        var (clock, interval) = (new SweepClock(_set.Time), Options.SweepInterval!.Value);
        var job = new BackgroundJob("expiry");
        _set.Watch(job);
        return new BackgroundLoop(
            _set.Time,
            interval,
            job,
            stop => SweepAsync(clock.Next() - Options.MaxClockSkew, stop),
            interval * (0.5 + (_set.Draw() / 2))); // At random, so that replicas that start together sweep at different times.
    }

    /// <summary>Lists all ids, page by page, and deletes the objects that had expired by a given time.</summary>
    internal async ValueTask SweepAsync(DateTimeOffset until, CancellationToken stop)
    {
        if (!_set.IsOpen)
            return;
        await foreach (var ids in _set.ListAsync(string.Empty, stop).Chunk(SweptTogether).ConfigureAwait(false))
        {
            // A time limit for these objects together: an object that can't be read, or whose function never returns, must not stop the sweep.
            using var limit = new CancellationTokenSource(_set.Options.UnreachableTimeout + _set.Options.RequestTimeout, _set.Time);
            using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stop);
            await Task.WhenAll(ids.Select(id => SweepAsync(id, until, both.Token))).ConfigureAwait(false);
            stop.ThrowIfCancellationRequested();
        }
    }

    private async Task SweepAsync(string id, DateTimeOffset until, CancellationToken cancellationToken)
    {
        try
        {
            if (_set.Find(id) is { } held)
            {
                if (held.TryPeek(string.Empty, out var own, out _) && _expiry!.HasExpired(held, own, until))
                    await DeleteExpiredAsync(id, until, cancellationToken).ConfigureAwait(false);
                return;
            }

            // Filling the object would claim it and fence its owner. So the sweep first reads the object without a claim, and fills it only if it has
            // expired.
            if (Options.Ownership == Ownership.Claim && !await HasExpiredInStoreAsync(id, until, cancellationToken).ConfigureAwait(false))
                return;
            var document = await _set.EnterAsync(id, toChange: false, new AnswerLimit(null, cancellationToken)).ConfigureAwait(false);
            var isDue = _expiry!.HasExpired(document, document.Parts.Find(string.Empty), until);
            document.Gate.Release();
            if (isDue)
                await DeleteExpiredAsync(id, until, cancellationToken).ConfigureAwait(false);

            // The sweep filled the object, and calls may never use it. So the sweep closes it again, which frees its memory.
            await document.RefreshAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (error is StoutException or StoreException or OperationCanceledException)
        {
            // The next sweep looks at the object again.
        }
    }

    private async ValueTask<bool> HasExpiredInStoreAsync(string id, DateTimeOffset until, CancellationToken cancellationToken)
    {
        var peeked = await _set.PeekAsync(id, cancellationToken).ConfigureAwait(false);
        return peeked.Parts.Any(part => part.SubKey.IsRoot && _codec.ExpiryOf(part.Value) <= until.UtcTicks);
    }

    /// <summary>
    /// Deletes an object if it had expired by the given time. The deletion is an ordinary change: the store commits it only if no other process has
    /// written the object since this process read it.
    /// </summary>
    private ValueTask<bool> DeleteExpiredAsync(string id, DateTimeOffset until, CancellationToken cancellationToken) => ChangeAsync(
        id,
        until,
        static (editor, until) => ((StagedEditor<T>)editor).DeleteIfExpired(until),
        isShown: false,
        cancellationToken);
}
