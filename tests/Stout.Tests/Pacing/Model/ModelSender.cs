using Stout.Pacing;

namespace Stout.Tests.Pacing.Model;

/// <summary>
/// The lanes that one law paces: one lane, or all the lanes of a middle tier as in the paper. The interval counts from the last send, and only the
/// law bounds the requests in flight.
/// </summary>
internal sealed class ModelSender(IPacingLaw law, Outbox[] outboxes, ModelStore store, EventQueue events, LatencyLog log)
{
    private const int ValueBytes = 256;

    // Zero at the start, so the first batch too leaves one interval after the start.
    private TimeSpan _lastSent;
    private TimeSpan _armedFor = TimeSpan.MaxValue;
    private TimeSpan _waitingSince = TimeSpan.MaxValue;
    private int _inFlight;

    public IPacingLaw Law => law;

    public void Write(int outbox, int key)
    {
        outboxes[outbox].Add(key, events.Now);
        if (_waitingSince == TimeSpan.MaxValue)
            _waitingSince = events.Now;
        SendIfDue();
    }

    private void SendIfDue()
    {
        if (_waitingSince == TimeSpan.MaxValue || _inFlight >= law.MaxInFlight)
            return;
        var due = _lastSent + law.Interval;
        if (due <= events.Now)
            Send(applicationLimited: _waitingSince > due);
        else if (due < _armedFor)
            Arm(due);
    }

    private void Arm(TimeSpan due)
    {
        _armedFor = due;
        events.Schedule(due, () =>
        {
            if (_armedFor == due)
                _armedFor = TimeSpan.MaxValue;
            SendIfDue();
        });
    }

    private void Send(bool applicationLimited)
    {
        var departure = new BatchDeparture(events.Now, events.Now - _lastSent, applicationLimited, outboxes.Sum(outbox => outbox.Keys));
        if (law.MaxBatchKeys == 1)
        {
            // The law asks for a batch of one key first. That batch counts no writes: the next one, which leaves right after it, counts them all.
            law.BatchSent(departure);
            Send(outboxes[0].Partition, new PendingBatch(Keys: 1, Writes: 0, ArrivalTicks: 0), departure);
            return;
        }

        _lastSent = events.Now;
        _waitingSince = TimeSpan.MaxValue;
        law.BatchSent(departure);
        foreach (var outbox in outboxes)
        {
            if (!outbox.IsEmpty)
                Send(outbox.Partition, outbox.Take(), departure);
        }
    }

    private void Send(int partition, PendingBatch batch, BatchDeparture departure)
    {
        _inFlight++;
        var answeredAt = store.Write(partition, batch.Keys, departure.At);
        events.Schedule(answeredAt, () =>
        {
            _inFlight--;
            log.Add(answeredAt, batch.Writes, batch.LatencyMilliseconds(answeredAt));
            law.RequestAnswered(new StoreRequest
            {
                Kind = StoreRequestKind.Write,
                Operations = batch.Keys,
                Bytes = (long)batch.Keys * ValueBytes,
                SentAt = departure.At,
                AnsweredAt = answeredAt,
                Outcome = StoreRequestOutcome.Answered,
                Interval = departure.Interval,
                ApplicationLimited = departure.ApplicationLimited,
            });
            SendIfDue();
        });
    }
}
