using Stout.Argon.Engine;

namespace Stout.Argon.Scheduling;

/// <summary>
/// Shares a disk at once: requests of all services are at the device together. Their order is start-time fair queueing (SFQ(D), Jin and others, 2004).
/// A request's cost is the device time that it takes when its service has the disk alone. Rare exclusive turns measure it. A service's progress is the
/// cost of its completed requests over the time in which it had requests. If a service's progress is below its promise, the services above theirs get
/// fewer requests at the device.
/// </summary>
internal sealed partial class DiskScheduler
{
    /// <summary>The time of sharing for each time of a turn that measures a service. Turns then cost the others at most 1/65 of their throughput.</summary>
    private const int SharingPerTurn = 64;

    /// <summary>
    /// The number of requests that end in such a turn, as a multiple of those that were issued before the first end. The first requests and the drain do not
    /// count, so a shorter turn would measure little.
    /// </summary>
    private const int BatchesPerTurn = 4;

    /// <summary>
    /// While a service has less progress than its promise times this factor, services with clearly more get fewer requests at the device.
    /// </summary>
    private const double Margin = 1.1;

    /// <summary>
    /// The difference from the least progress by which a service has clearly more. Where the disk can't give all services their promise times
    /// <see cref="Margin"/>, they have the same fraction of it.
    /// </summary>
    private const double Uneven = 0.05;

    /// <summary>The factor above the promise of all services from which on they get more requests at the device.</summary>
    private const double Ample = 1.2;

    /// <summary>The factor by which the depth of a service that is ahead falls while another one is behind.</summary>
    private const double Fall = 0.7;

    /// <summary>The least depth of a service. Below 1, the service pauses after each request: at 1/16 for 15 times as long as the request took.</summary>
    private const double LeastDepth = 1.0 / 16;

    /// <summary>The shortest time over which progress is compared with the promise.</summary>
    private static readonly TimeSpan s_leastWindow = TimeSpan.FromMilliseconds(5);

    /// <summary>The longest such time, for devices with very long requests. A turn is no longer than this for the sake of its measurement.</summary>
    private static readonly TimeSpan s_mostWindow = TimeSpan.FromSeconds(1);

    // The queues that may issue a request, by their tag, and those that pause, by the end of the pause.
    private readonly PriorityQueue<ServiceQueue, TimeSpan> _offers = new();
    private readonly PriorityQueue<ServiceQueue, TimeSpan> _paused = new();
    private readonly List<ServiceQueue> _passed = [];
    private TimeSpan _virtualTime;
    private TimeSpan _turnTime;
    private TimeSpan _nextTurn;
    private TimeSpan _windowEnd;
    private TimeSpan _longest;
    private bool _stalled;

    /// <summary>Whether the services share the disk at once; false for exclusive quanta.</summary>
    public bool AtOnce { get; init; }

    /// <summary>The sum of the weights of the services that have used the disk.</summary>
    public double Weights { get; set; }

    private bool Shares => AtOnce && settings.Quanta;

    // The time without exclusive turns, in which progress is measured.
    private TimeSpan Shared(TimeSpan now) => (_current is null ? now : _quantum.Start) - _turnTime;

    // Offers the queue's next request unless the queue has its depth at the device, or pauses. A service that is ahead also has no more bytes at the device
    // than it transfers during one positioning. These keep the device busy; more of them only let other requests wait.
    private void Offer(ServiceQueue queue, TimeSpan now)
    {
        if (queue.Offered || queue.Waiting.Count == 0 || queue.Outstanding >= Math.Clamp(queue.Depth, 1, settings.Depth) || (queue.Ahead && queue.OutstandingBytes >= Cost.BytesFor(0.5)))
            return;
        queue.Offered = true;
        if (now < queue.Resume)
        {
            _paused.Enqueue(queue, queue.Resume);
            return;
        }

        queue.Tag = queue.Finish > _virtualTime ? queue.Finish : _virtualTime;
        _offers.Enqueue(queue, queue.Tag);
    }

    private void IssueAtOnce(TimeSpan now, Func<DiskIo, bool> ready, List<DiskIo> issued)
    {
        AbandonStuck(now);
        if (now >= _windowEnd)
            EndWindow(now);
        while (_paused.TryPeek(out var paused, out var resume) && resume <= now)
        {
            _paused.Dequeue();
            paused.Offered = false;
            Offer(paused, now);
        }

        while (Outstanding < settings.Depth && _offers.TryDequeue(out var queue, out _))
        {
            queue.Offered = false;
            var node = queue.Waiting.First;
            while (node is not null && !ready(node.Value))
                node = node.Next;
            if (node is null)
            {
                // The queue is empty after a turn, or a writer copies into the frames of its requests.
                _passed.Add(queue);
                continue;
            }

            queue.Waiting.Remove(node);
            Issue(node.Value, now, issued);
            _virtualTime = queue.Tag;
            queue.Finish = queue.Tag + (node.Value.Expected / queue.Service.Weight);
            Offer(queue, now);
        }

        foreach (var queue in _passed)
            Offer(queue, now);
        _passed.Clear();
        if (_paused.TryPeek(out _, out var next))
            Wake = next;
        WakeWhenStuck();
    }

    // Compares each service's progress with its promise, and adapts the services' depths. A request may end in a later window than most of its time, so the
    // sums fade over several windows.
    private void EndWindow(TimeSpan now)
    {
        var least = double.PositiveInfinity;
        foreach (var queue in _round)
        {
            queue.NoteBacklog(Shared(now));
            var promise = Efficiency * queue.Service.Weight / Weights;
            // A service without an end of a request may have a request that never ends. It must not slow down the others.
            queue.Kept = queue.Progressed && queue.Backlog > s_leastWindow / 8 ? queue.Progress / queue.Backlog.TotalSeconds / promise : null;
            least = Math.Min(least, queue.Kept ?? least);
            if (queue.Progressed)
                queue.Fade();
        }

        var ahead = Math.Clamp(least + Uneven, 1, Margin);
        foreach (var queue in _round)
        {
            queue.Ahead = queue.Kept > ahead;
            if (queue.Ahead && least <= Margin)
                queue.Depth = Math.Max(LeastDepth, Math.Min(queue.Depth, Math.Max(1, queue.MostOutstanding)) * Fall);
            else if (queue.Kept <= ahead)
                queue.Depth = Math.Min(settings.Depth, (queue.Depth / Fall) + 0.25);
            else if (least >= Ample)
                queue.Depth = Math.Min(settings.Depth, (queue.Depth * 1.1) + 0.05);
            queue.MostOutstanding = queue.Outstanding;
            Offer(queue, now);
        }

        var length = 4 * _longest;
        length = length < s_leastWindow ? s_leastWindow : length > s_mostWindow ? s_mostWindow : length;
        (_windowEnd, _longest) = (now + length, TimeSpan.Zero);
    }

    private void EndShared(DiskIo io, TimeSpan now)
    {
        var queue = io.Queue!;
        var took = now - io.IssuedAt;
        _longest = took > _longest ? took : _longest;
        queue.Progressed = true;
        queue.Progress += io.Expected.TotalSeconds;
        queue.Service.Counters.DiskTime += io.Expected;
        if (queue.Depth < 1)
            queue.Resume = now + ((took < s_mostWindow ? took : s_mostWindow) * ((1 / queue.Depth) - 1));
        Offer(queue, now);
    }

    // Whether a turn goes on, so that it measures the service. The queue at the device is as long as it is alone.
    private bool Measures(TimeSpan now)
    {
        var passed = now - _quantum.Start;
        return passed < _quantum.Budget || (_quantum.Ended < BatchesPerTurn * _quantum.FirstBatch && passed < s_mostWindow);
    }

    // Whether an exclusive turn is due: services share the disk for `SharingPerTurn` times the last turn, unless a service has not been measured.
    private bool TurnIsDue(TimeSpan now) => _round.Count == 1 || now >= _nextTurn;

    private void EndTurn(TimeSpan now)
    {
        var length = now - _quantum.Start;
        _turnTime += length;
        // The time that was lost to requests that take very long. It counts as the turn's, so that it is not lost again soon.
        var stalled = _stalled || _quantum.Stuck ? settings.StuckAfter : TimeSpan.Zero;
        _stalled = false;
        _current!.Measured |= _quantum.Issued > 0;
        foreach (var queue in _round)
        {
            queue.Credit = TimeSpan.Zero;
            Offer(queue, now);
            if (!queue.Measured)
                length = TimeSpan.Zero;
        }

        _nextTurn = now + (SharingPerTurn * (length > stalled ? length : stalled));
    }

    // Waits for the requests at the device before an exclusive turn, except for those of services that have stuck requests.
    private bool Drains(TimeSpan now)
    {
        for (var node = _live.First; node is not null;)
        {
            var io = node.Value;
            node = node.Next;
            if (io.Queue!.Stuck > 0)
                Abandon(io);
        }

        if (Outstanding == 0)
            return false;
        if (now < _progress + settings.StuckAfter)
        {
            Wake = _progress + settings.StuckAfter;
            return true;
        }

        Abandon();
        _stalled = true;
        return false;
    }
}
