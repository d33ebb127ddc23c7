using Stout.Storage;

namespace Stout.Documents;

/// <content>The sweep: deletes objects that expired long enough ago.</content>
public sealed partial class DocumentCollection<T>
{
    /// <summary>How many objects a sweep reads and deletes together. It bounds the sweep's memory and its load on the store.</summary>
    private const int SweptTogether = 64;

    /// <summary>Begins to sweep at the collection's interval, if its objects expire.</summary>
    internal BackgroundLoop? StartSweeping()
    {
        if (!Options.Sweeps)
            return null;
        var (clock, interval) = (new SweepClock(_set.Time), Options.SweepInterval!.Value);
        return new BackgroundLoop(
            _set.Time,
            interval,
            stop => SweepAsync(clock.Next() - Options.MaxClockSkew, stop),
            _set.ReportSweepFailure,
            interval * (0.5 + (_set.Draw() / 2))); // At random, so that replicas which start together sweep apart.
    }

    /// <summary>Lists all ids, page by page, and deletes the objects that had expired by a given time.</summary>
    internal async ValueTask SweepAsync(DateTimeOffset until, CancellationToken stop)
    {
        if (!_set.IsOpen)
            return;
        await foreach (var ids in _set.ListAsync(string.Empty, stop).Chunk(SweptTogether).ConfigureAwait(false))
        {
            // An object whose function never returns, or that can't be read, holds up the sweep for this long at most.
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

            // With claims an object is taken from its owner only if it has expired.
            if (Options.Ownership == Ownership.Claim && !await HasExpiredInStoreAsync(id, until, cancellationToken).ConfigureAwait(false))
                return;
            var document = await _set.EnterAsync(id, toChange: false, cancellationToken).ConfigureAwait(false);
            var isDue = _expiry!.HasExpired(document, document.Parts.Find(string.Empty), until);
            document.Gate.Release();
            if (isDue)
                await DeleteExpiredAsync(id, until, cancellationToken).ConfigureAwait(false);

            // The sweep has brought the object into memory, so the sweep gives it up: the cache keeps what calls use.
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
    /// Deletes an object if it still has expired by the given time. It is an ordinary change, so the store commits it only if the object is the one
    /// that the function saw.
    /// </summary>
    private ValueTask<bool> DeleteExpiredAsync(string id, DateTimeOffset until, CancellationToken cancellationToken) => ChangeAsync(
        id,
        until,
        static (editor, until) => ((StagedEditor<T>)editor).DeleteIfExpired(until),
        isShown: false,
        cancellationToken);
}
