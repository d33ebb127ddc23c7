using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules;

/// <content>How a schedule ends: every call is answered, and no disposal ends before the store is closed.</content>
internal sealed partial class Schedule
{
    private const int MostRounds = 1_000;
    private const int MostReadings = 10;

    /// <summary>Ends all faults, and checks that every call is answered while the store is open and that memory can be read.</summary>
    private void EndInPeace()
    {
        _calm = true;
        LetAllGoOn();
        // A call whose time limit has passed is answered before its change is resolved.
        Drive(
            () => _calls.TrueForAll(call => call.IsConcluded) && _documents.GetStatistics() is { DirtyKeys: 0, RequestsInFlight: 0 },
            "a call is never answered, or a change is never resolved");
        // A short time limit of calls may pass while the lane still waits for the answer to an earlier read.
        for (var round = 1; !ReadAll(); round++)
        {
            if (round == MostReadings)
                throw new ScheduleViolation("an object can't be read in the end, although its reads are repeated");
        }

        Close();
    }

    private bool ReadAll()
    {
        foreach (var id in Ids)
            Begin(new ScheduleCall(id, CallKind.Read));
        Drive(() => _calls.TrueForAll(call => call.IsConcluded), "an object can't be read in the end");
        var errors = _calls.TakeLast(Ids.Length).Select(call => (Call: call, Error: call.Task.Exception?.InnerException)).Where(end => end.Error is not null).ToList();
        if (errors.Find(end => !IsNotInTime(end.Error!)) is { Error: { } error } failed)
            throw new ScheduleViolation($"{failed.Call} fails without a fault: {error}");
        return errors.Count == 0;
    }

    /// <summary>Stops or disposes the store while calls are under way and functions still hold their objects.</summary>
    private void EndInTheMiddle()
    {
        Count("ended in the middle");
        Task stop = Task.CompletedTask;
        if (Chance(0.5))
            stop = _documents.StopAsync(new CancellationToken(canceled: Chance(0.5)));
        _calm = true;
        _time.ResumeLanes();
        Close();
        Drive(() => stop.IsCompleted, "a stop never ends");
        foreach (var call in _calls)
        {
            if (!call.IsConcluded && call.Holds is not { IsOpen: false, Waiting: > 0 })
                throw new ScheduleViolation($"{call} is left without an answer");
        }

        LetAllGoOn();
        Drive(() => _calls.TrueForAll(call => call.IsConcluded), "a call is never answered after the end");
    }

    private void Close()
    {
        var disposals = new[] { _documents.DisposeAsync().AsTask(), _documents.DisposeAsync().AsTask() };
        Drive(
            () =>
            {
                if (disposals.Any(disposal => disposal.IsCompleted) && !_network.IsDisposed)
                    throw new ScheduleViolation("a disposal has ended before the store is closed");
                return Array.TrueForAll(disposals, disposal => disposal.IsCompleted);
            },
            "a disposal never ends");
    }

    /// <summary>Answers all requests and lets time pass, until a condition holds.</summary>
    private void Drive(Func<bool> until, string otherwise)
    {
        Settle();
        // The step doubles, up to 1 s, while no request comes. A law's own timer may fire every millisecond. With steps that short, a time limit of seconds
        // would take thousands of rounds.
        var step = TimeSpan.FromMilliseconds(1);
        for (var round = 0; !until(); round++)
        {
            if (round == MostRounds)
                throw new ScheduleViolation(otherwise + ": " + string.Join("; ", _calls.FindAll(call => !call.IsConcluded)));
            var requests = _network.UnderWay;
            requests.ForEach(Arrive);
            Settle();
            if (requests.Count > 0)
            {
                step = TimeSpan.FromMilliseconds(1);
                continue;
            }

            var wait = _time.NextDue - _time.Now;
            _time.Advance(wait > step ? wait.Value : step);
            step = TimeSpan.FromTicks(Math.Min(2 * step.Ticks, TimeSpan.TicksPerSecond));
            Settle();
        }
    }

    private void LetAllGoOn()
    {
        _time.ResumeLanes();
        foreach (var call in _calls.Where(call => call.Holds is { IsOpen: false }))
            _activity.Open(call.Holds!);
    }
}
