using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Scheduling;

/// <summary>
/// Divides one disk's time into quanta (the paper, sections 3.5 and 4.5). In its quantum a service uses the disk alone. Its queued and
/// arriving requests are issued as long as they fit; then the requests at the disk drain. Services take turns, with quanta in proportion to their
/// weights. Time beyond a quantum is subtracted from the service's next quantum.
/// </summary>
internal sealed partial class DiskScheduler(DeviceCost cost, int blockSize, SchedulerSettings settings)
{
    /// <summary>
    /// The largest debt of a service, in quanta: disk time used beyond its quanta. Debt beyond this limit, after a very long sync, is forgiven.
    /// </summary>
    private const int MostOwed = 16;

    /// <summary>The number of turns over which the positioning time is averaged.</summary>
    private const int Switches = 20;

    /// <summary>The number of turns before the first correction of the positioning time.</summary>
    private const int LeastSwitches = 8;

    /// <summary>A smaller relative difference of the positioning time is not corrected, since each correction renews the plan.</summary>
    private const double Drift = 0.125;

    private readonly Queue<ServiceQueue> _round = new();
    private readonly LinkedList<DiskIo> _arrived = new();

    // The requests at the device that count, in the order of their issue.
    private readonly LinkedList<DiskIo> _live = new();
    private ServiceQueue? _current;
    private QuantumRecord _quantum;
    private TimeSpan _outstandingEstimate;
    private TimeSpan _busySince;
    private int _positioning;
    private TimeSpan _meanSwitch;
    private int _switches;
    private ServiceQueue? _last;
    private int _queued;
    private int _turns;
    private TimeSpan _progress;

    public int Outstanding { get; private set; }

    /// <summary>The cost of requests: the calibrated one, with the positioning time corrected by the services' requests.</summary>
    public DeviceCost Cost { get; private set; } = cost;

    /// <summary>Whether <see cref="Cost"/> has changed since the last plan.</summary>
    public bool CostChanged { get; set; }

    /// <summary>The disk efficiency that a quantum has to reach.</summary>
    public double Efficiency { get; set; } = 0.9;

    /// <summary>The shortest quantum: the time of one access of the largest size.</summary>
    public TimeSpan LeastQuantum { get; set; }

    /// <summary>The quantum of a service of weight 1.</summary>
    public TimeSpan Unit { get; private set; }

    /// <summary>The time of the next call of <see cref="Dispatch"/> that is needed if no event comes before; null for no call.</summary>
    public TimeSpan? Wake { get; private set; }

    public void Enqueue(DiskIo io, ServiceQueue queue, TimeSpan now)
    {
        io.Queue = queue;
        io.Positions = io.Kind is not (DiskIoKind.Read or DiskIoKind.Write) || queue.End != (io.Object, io.First);
        if (io.Kind is DiskIoKind.Read or DiskIoKind.Write)
            queue.End = (io.Object, io.First + io.Frames.Count);
        var transfer = Cost.Transfer((long)io.Frames.Count * blockSize);
        io.Estimate = io.Kind is not (DiskIoKind.Read or DiskIoKind.Write) ? queue.MeanSync ?? Cost.Positioning : io.Positions ? Cost.Positioning + transfer : transfer;
        queue.Arrive(now);
        _queued++;
        if (!settings.Quanta)
        {
            _arrived.AddLast(io);
            return;
        }

        if (queue.Waiting.Count + queue.Outstanding == 0)
            queue.BacklogSince = Shared(now);
        queue.Waiting.AddLast(io);
        queue.IdleTurns = 0;
        Join(queue);
        if (!AtOnce)
            return;
        Offer(queue, now);
        if (!queue.Measured)
            _nextTurn = now;
    }

    public void Done(DiskIo io, TimeSpan now)
    {
        var queue = io.Queue!;
        queue.Outstanding--;
        queue.OutstandingBytes -= (long)io.Frames.Count * blockSize;
        if (queue.Outstanding == 0 && queue.Waiting.Count == 0)
        {
            queue.NoteBacklog(Shared(now));
            (queue.IdleSince, queue.BacklogSince) = (now, null);
        }

        if (io.Live.List is null)
        {
            queue.Stuck--;
            if (Shares)
                Offer(queue, now);
            return;
        }

        _live.Remove(io.Live);
        var stuck = now >= _progress + settings.StuckAfter;
        _quantum.Stuck |= stuck;
        _progress = now;
        Outstanding--;
        _outstandingEstimate -= io.Expected;
        if (_current is not null)
        {
            NoteEnd(io, now);
            LearnPositioning(io, now);
        }

        _quantum.Estimated += io.Estimate;
        if (io.Positions)
            _positioning--;
        if (io.Kind is not (DiskIoKind.Read or DiskIoKind.Write) && !stuck)
            queue.NoteSync(now - io.IssuedAt);
        if (Shares && _current is null)
        {
            EndShared(io, now);
            return;
        }

        if (Outstanding == 0)
        {
            var busy = now - _busySince;
            _quantum.Busy += busy;
            _outstandingEstimate = TimeSpan.Zero;
            if (settings.Quanta)
                queue.Service.Counters.DiskTime += busy;
        }

        // Without quanta, services overlap at the device, so each service is charged the estimated time of its requests.
        if (!settings.Quanta)
            queue.Service.Counters.DiskTime += io.Estimate;
    }

    /// <summary>Ends the turns of a removed service, which has no requests.</summary>
    public void Remove(ServiceQueue queue)
    {
        queue.InRound = false;
        for (var count = _round.Count; count > 0; count--)
        {
            var next = _round.Dequeue();
            if (!ReferenceEquals(next, queue))
                _round.Enqueue(next);
        }

        if (ReferenceEquals(_current, queue))
            _current = null;
    }

    /// <summary>Adds the requests that the device gets now to <paramref name="issued"/>.</summary>
    /// <param name="now">The time.</param>
    /// <param name="ready">Returns false for a request that cannot be issued now, since a writer copies into one of its frames.</param>
    /// <param name="issued">Receives the requests.</param>
    public void Dispatch(TimeSpan now, Func<DiskIo, bool> ready, List<DiskIo> issued)
    {
        Wake = null;
        if (!settings.Quanta)
        {
            IssueAll(now, ready, issued);
            return;
        }

        while (true)
        {
            if (_current is null)
            {
                if (Shares && _queued > 0 && !TurnIsDue(now))
                {
                    IssueAtOnce(now, ready, issued);
                    return;
                }

                if ((Shares && Drains(now)) || !StartNext(now))
                    return;
            }

            var full = IssueFitting(now, ready, issued);
            if (Outstanding > 0 && !GivesUp(now))
                return;
            if (!full && now - _quantum.Start < _quantum.Budget)
            {
                Wake = _quantum.Start + _quantum.Budget;
                return;
            }

            End(now);
        }
    }

    // One request that takes very long must not stop the other services. So after a time without progress the turn ends, and the requests at the device
    // are left to themselves. While a service has such requests, the others do not wait for its further ones beyond its quantum.
    private bool GivesUp(TimeSpan now)
    {
        if (_round.Count == 0)
            return false;
        var end = _progress + settings.StuckAfter;
        if (_current!.Stuck > 0 && _quantum.Start + _quantum.Budget < end)
            end = _quantum.Start + _quantum.Budget;
        if (now < end)
        {
            Wake = end;
            return false;
        }

        var busy = now - _busySince;
        _current.Service.Counters.DiskTime += busy;
        _quantum.Busy += busy;
        _quantum.Stuck = true;
        Abandon();
        _quantum.Budget = TimeSpan.Zero;
        return true;
    }

    // Leaves the requests at the device to themselves.
    private void Abandon()
    {
        while (_live.First is { } node)
            Abandon(node.Value);
    }

    private void Abandon(DiskIo io)
    {
        _live.Remove(io.Live);
        io.Queue!.Stuck++;
        Outstanding--;
        _outstandingEstimate -= io.Expected;
        if (io.Positions)
            _positioning--;
    }

    // Where requests of all services are at the device, each that takes very long would take a place from the others.
    private void AbandonStuck(TimeSpan now)
    {
        while (_live.First is { } node && node.Value.IssuedAt + settings.StuckAfter <= now)
            Abandon(node.Value);
    }

    // The time at which a full device may have a place again without the end of a request.
    private void WakeWhenStuck()
    {
        if (Outstanding >= settings.Depth && _live.First!.Value.IssuedAt + settings.StuckAfter is var end && !(Wake <= end))
            Wake = end;
    }

    private void IssueAll(TimeSpan now, Func<DiskIo, bool> ready, List<DiskIo> issued)
    {
        AbandonStuck(now);
        for (var node = _arrived.First; node is not null && Outstanding < settings.Depth;)
        {
            var next = node.Next;
            if (node.Value.Queue!.Outstanding < settings.Depth && ready(node.Value))
            {
                _arrived.Remove(node);
                Issue(node.Value, now, issued);
            }

            node = next;
        }

        WakeWhenStuck();
    }

    // Issues the requests that are ready and fit; true if the quantum is full. A write-back is skipped while a write request has reserved one of the
    // write-back's frames. Otherwise both could wait forever: that write request may wait for a load that is queued behind the write-back, or in another
    // service's queue.
    private bool IssueFitting(TimeSpan now, Func<DiskIo, bool> ready, List<DiskIo> issued)
    {
        var queue = _current!;
        for (var node = queue.Waiting.First; node is not null && Outstanding < settings.Depth && queue.Outstanding < settings.Depth;)
        {
            var next = node.Next;
            if (!Fits(node.Value, now))
            {
                if (_round.Count > 0)
                {
                    if (Outstanding > 0 && _quantum.DrainStart is null)
                        (_quantum.DrainStart, _quantum.DrainExpected) = (now, _outstandingEstimate);
                    return true;
                }

                Renew(now);
            }

            if (ready(node.Value))
            {
                queue.Waiting.Remove(node);
                Issue(node.Value, now, issued);
            }

            node = next;
        }

        return false;
    }

    private bool Fits(DiskIo io, TimeSpan now) => Shares ? Measures(now) :
        _quantum.Issued == 0 || now - _quantum.Start + _outstandingEstimate + (io.Estimate * _current!.Ratio) <= _quantum.Budget;

    private void Issue(DiskIo io, TimeSpan now, List<DiskIo> issued)
    {
        var queue = io.Queue!;
        _queued--;
        io.IssuedAt = _progress = now;
        _live.AddLast(io.Live);
        if (Outstanding++ == 0)
            _busySince = now;
        queue.MostOutstanding = Math.Max(queue.MostOutstanding, ++queue.Outstanding);
        io.Expected = io.Estimate * (_current is null && Shares ? queue.AloneRatio : queue.Ratio);
        _outstandingEstimate += io.Expected;
        _quantum.Issued++;
        _quantum.FirstBatch += _quantum.Ended == 0 ? 1 : 0;
        _quantum.DrainStart = null;
        var bytes = (long)io.Frames.Count * blockSize;
        queue.OutstandingBytes += bytes;
        _quantum.Bytes += bytes;
        if (io.Positions)
        {
            _quantum.Positioned++;
            _quantum.Concurrency = Math.Max(_quantum.Concurrency, ++_positioning);
        }

        issued.Add(io);
    }
}
