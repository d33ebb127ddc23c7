using Stout.Argon.Caching;
using Stout.Argon.Configuration;

namespace Stout.Argon.Engine;

/// <summary>Work that no request causes: timed write-back, the end of idle trials, evictions in bounded steps, and the removal of services.</summary>
internal sealed partial class ArgonCore
{
    /// <summary>The most blocks that one event evicts to make partitions smaller. It bounds the time during which other services wait for the lock.</summary>
    private const int MostEvictions = 256;

    /// <summary>The most frames that one event examines for a removed service.</summary>
    private const int MostExamined = 1024;

    /// <summary>A trial that has too few references ends after this many trial lengths.</summary>
    private const int MostTrials = 8;

    private readonly PriorityQueue<ObjectState, TimeSpan> _unflushed = new();
    private readonly List<ServiceState> _removals = [];
    private TimeSpan _nextTrialCheck;
    private int _evictions;
    private bool _unfinished;
    private long _endings;
    private bool _inTrial;

    /// <summary>The earlier of <see cref="Wake"/> and <see cref="Alarm"/>; null for never.</summary>
    public TimeSpan? NextTick => Wake is { } wake && !(Alarm < wake) ? wake : Alarm;

    /// <summary>The next time at which <see cref="Tick"/> has housekeeping to do; null for never.</summary>
    public TimeSpan? Alarm
    {
        get
        {
            if (_unfinished)
                return _now;
            TimeSpan? alarm = Settings.WriteBackAfter is { } age && _unflushed.TryPeek(out _, out var since) ? since + age : null;
            return _inTrial && !(alarm < _nextTrialCheck) ? _nextTrialCheck : alarm;
        }
    }

    /// <summary>
    /// Removes a service: evicts its blocks after writing back the dirty ones, and divides its partition among the other services. The service sends no
    /// more requests.
    /// </summary>
    public Request Remove(ServiceState service, TimeSpan now)
    {
        _now = now;
        var request = Rent(RequestKind.Remove, service, _folders[0], 0, 0);
        request.Started = true;
        request.Object.Active++;
        service.Removal = request;
        _removals.Add(service);
        Settle();
        return request;
    }

    /// <summary>Stands for removed services: it is charged for the write-back of what they wrote. It has no frames.</summary>
    public ServiceState House { get; }

    private void KeepHouse()
    {
        if (Settings.WriteBackAfter is { } age)
            WriteBackOld(age);
        if (_now >= _nextTrialCheck)
            CheckTrials();
    }

    // Called after each change of an object: notes the time since which the object has been unflushed.
    private void Changed(ObjectState target, ServiceState service)
    {
        if (Settings.WriteBackAfter is null || target.AwaitsWriteBack || !target.Unflushed)
            return;
        target.AwaitsWriteBack = true;
        target.Writer = service;
        _unflushed.Enqueue(target, _now);
    }

    private void WatchTrial()
    {
        if (!_inTrial)
            _nextTrialCheck = _now + (Settings.Trial / 8);
        _inTrial = true;
    }

    private void WriteBackOld(TimeSpan age)
    {
        while (_unflushed.TryPeek(out var target, out var since) && since + age <= _now)
        {
            _unflushed.Dequeue();
            target.AwaitsWriteBack = false;
            if (target.Ended is not null || target.Broken is not null || !target.Unflushed)
                continue;
            // The object may change during the flush. It is flushed again if it is still unflushed after the same time.
            var payer = target.Writer is { Removal: null } writer ? writer : House;
            Flush(payer, target, _now).Abandoned = true;
            Changed(target, payer);
        }
    }

    // Ends the trials of services that send no requests, or too few. Only requests of the service itself end a trial otherwise, and the service would keep
    // spare cache forever.
    private void CheckTrials()
    {
        _nextTrialCheck = _now + (Settings.Trial / 8);
        var ended = false;
        _inTrial = false;
        foreach (var service in _services)
        {
            if (service.Status != ServiceStatus.Trial || _shared is not null)
                continue;
            if (_now - service.LastRequest >= Settings.Trial)
            {
                service.Status = ServiceStatus.Idle;
                ended = true;
            }
            else if (_now - service.EpochStart >= MostTrials * Settings.Trial)
            {
                Learn(service);
                service.Status = ServiceStatus.Insulated;
                BeginEpoch(service);
                ended = true;
            }
            else
            {
                _inTrial = true;
            }
        }

        if (ended)
            Plan();
    }

    private void RetryRemovals()
    {
        for (var i = _removals.Count - 1; i >= 0; i--)
        {
            var service = _removals[i];
            if (!Emptied(service) || service.Pinned > 0 || service.Queues.Values.Any(queue => queue.Waiting.Count > 0 || queue.Outstanding > 0))
                continue;
            _removals.RemoveAt(i);
            _services.Remove(service);
            foreach (var (disk, queue) in service.Queues)
                _disks[disk].Remove(queue);
            Plan();
            Complete(service.Removal!);
        }
    }

    // Examines some frames, and evicts those of the service. True after a whole pass that has found no frame in use.
    private bool Emptied(ServiceState service)
    {
        var (cursor, found, endings) = service.RemovalPass;
        if (cursor == 0)
            endings = _endings;
        var end = Math.Min(_frames.Length, cursor + MostExamined);
        for (; cursor < end; cursor++)
        {
            Examined++;
            found |= ReferenceEquals(_frames[cursor].Owner, service) && !EvictRemoved(cursor);
        }

        if (cursor < _frames.Length)
        {
            service.RemovalPass = (cursor, found, endings);
            _unfinished = true;
            return false;
        }

        // A request or device request that ended during the pass may have left a frame that the pass examined before.
        service.RemovalPass = default;
        _unfinished |= found && endings != _endings;
        return !found;
    }

    private bool EvictRemoved(int index)
    {
        ref var frame = ref _frames[index];
        if (frame.Pins > 0 || frame.Exclusive || frame.Io is not null || frame.State != FrameState.Valid)
            return false;
        if (frame.Dirty)
        {
            WriteBack(index);
            return false;
        }

        Drop(index);
        Free(index);
        return true;
    }
}
