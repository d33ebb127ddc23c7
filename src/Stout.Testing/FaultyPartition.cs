using System.Runtime.ExceptionServices;
using Stout.Storage;

namespace Stout.Testing;

/// <summary>
/// One partition of a <see cref="FaultyStore"/>. A request waits for its latency and for the holds before the store. Then it is delivered to the inner
/// store, and waits for the holds after the store. The caller's batch gets its outcomes at the end.
/// </summary>
internal sealed class FaultyPartition(FaultyStore store, IStorePartition inner) : IStorePartition
{
    private readonly Lock _lock = new();
    private readonly List<IFaultyRequest> _late = [];

    public int PreferredInFlight => inner.PreferredInFlight;

    public IReadOnlyList<BackgroundJob> BackgroundJobs => inner.BackgroundJobs;

    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken) => SendAsync(new FaultyWrites(batch), cancellationToken);

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => SendAsync(new FaultyReads(batch), cancellationToken);

    public ValueTask RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken) => inner.RaiseEpochFloorAsync(epoch, cancellationToken);

    /// <summary>Forwards to the inner store: faults affect only reads and writes.</summary>
    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => inner.ListAsync(listing, cancellationToken);

    private async ValueTask SendAsync(IFaultyRequest request, CancellationToken cancellationToken)
    {
        var keys = new PartitionKey[request.Count];
        for (var i = 0; i < keys.Length; i++)
        {
            keys[i] = request.KeyOf(i);
            request.Fail(i, error: null);
        }

        var life = store.Alive();
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, life);
        var (plan, retryAfter) = store.Plan(keys);
        Delivery delivery;
        try
        {
            await store.TravelAsync(plan, ends.Token).ConfigureAwait(false);
            await store.PassHoldsAsync(HoldPoint.BeforeStore, request.Kind, keys, ends.Token).ConfigureAwait(false);
            store.LiveOn(plan.DiesBefore, life);
            delivery = await DeliverAsync(request, plan.Faults, cancellationToken).ConfigureAwait(false);
            await store.PassHoldsAsync(HoldPoint.AfterStore, request.Kind, keys, ends.Token).ConfigureAwait(false);
            store.LiveOn(plan.DiesAfter, life);
        }
        catch (OperationCanceledException) when (life.IsCancellationRequested)
        {
            throw StoreFault.LostAnswer.Error(retryAfter)!;
        }

        delivery.Answer(request);
        for (var i = 0; i < keys.Length; i++)
        {
            if (plan.Faults[i].Error(retryAfter) is { } error)
                request.Fail(i, error);
        }

        delivery.Failure?.Throw();
    }

    /// <summary>
    /// Delivers the keys that arrive, then again the keys that arrive twice, and then the late keys of earlier requests. Keeps this request's late keys for
    /// the next request.
    /// </summary>
    private async Task<Delivery> DeliverAsync(IFaultyRequest request, StoreFault[] faults, CancellationToken cancellationToken)
    {
        List<IFaultyRequest> late;
        lock (_lock)
        {
            late = [.. _late];
            _late.Clear();
        }

        var delivery = new Delivery();
        await delivery.SendAsync(request, Where(faults, StoreFaults.Arrives), inner, cancellationToken).ConfigureAwait(false);
        await delivery.SendAsync(request, Where(faults, fault => fault == StoreFault.Repeated), inner, cancellationToken).ConfigureAwait(false);
        foreach (var other in late)
            await new Delivery().SendAsync(other, [.. Enumerable.Range(0, other.Count)], inner, cancellationToken).ConfigureAwait(false);
        var kept = Where(faults, fault => fault == StoreFault.Late);
        if (kept.Count > 0)
        {
            lock (_lock)
                _late.Add(request.Part(kept, outlives: true));
        }

        return delivery;
    }

    private static List<int> Where(StoreFault[] faults, Func<StoreFault, bool> holds) =>
        [.. Enumerable.Range(0, faults.Length).Where(i => holds(faults[i]))];

    /// <summary>The inner store's answers to the parts of one request, until the caller gets them.</summary>
    private sealed class Delivery
    {
        private readonly List<(IFaultyRequest Part, List<int> Places)> _answers = [];

        /// <summary>The inner proxy's exception, if any.</summary>
        public ExceptionDispatchInfo? Failure { get; private set; }

        public async Task SendAsync(IFaultyRequest request, List<int> places, IStorePartition partition, CancellationToken cancellationToken)
        {
            if (places.Count == 0 || Failure is not null)
                return;
            var part = request.Part(places);
            _answers.Add((part, places));
            try
            {
                await part.SendAsync(partition, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception error)
            {
                // The caller gets the error as late as an answer: after the holds behind the store.
                Failure = ExceptionDispatchInfo.Capture(error);
            }
        }

        public void Answer(IFaultyRequest request)
        {
            foreach (var (part, places) in _answers)
            {
                for (var i = 0; i < places.Count; i++)
                    request.Answer(places[i], part, i);
            }
        }
    }
}
