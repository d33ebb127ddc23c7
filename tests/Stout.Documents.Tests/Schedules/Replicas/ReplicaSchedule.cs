using Stout.Documents.Tests.Expiry;
using Stout.Pacing;
using Stout.Storage;
using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules.Replicas;

/// <summary>
/// One schedule of two or three replicas that retry on conflicts and whose objects expire, given by its seed: whole document stores on one faulty store,
/// on virtual time, with clocks that jump within the skew. Throws a <see cref="ScheduleViolation"/> as soon as a guarantee is broken.
/// </summary>
internal sealed class ReplicaSchedule
{
    private const int MostRounds = 5_000;

    private static readonly TimeSpan Skew = TimeSpan.FromSeconds(1);
    private static readonly string[] Ids = ["a", "b"];

    private readonly Random _random;
    private readonly ReplicaBug _bug;
    private readonly ThreadPoolActivity _activity;
    private readonly ScheduleTime _time;
    private readonly ReplicaModel _model;
    private readonly List<Replica> _replicas = [];
    private readonly List<ReplicaCall> _calls = [];
    private readonly double _faults;
    private readonly Lock _drawLock = new();
    private readonly Random _draws;
    private ScheduleViolation? _violation;
    private bool _calm;

    public ReplicaSchedule(int seed, ReplicaBug bug, ThreadPoolActivity activity)
    {
        _random = new Random(seed);
        _draws = new Random(seed);
        _bug = bug;
        _activity = activity;
        _time = new ScheduleTime(activity);
        _faults = _random.Next(4) * 0.1;
        var clocks = Enumerable.Range(0, _random.Next(2, 4)).Select(_ => new WallClock(_time)).ToList();
        _model = new ReplicaModel([.. clocks.Select(clock => (Func<DateTimeOffset>)clock.GetUtcNow)], Skew, bug);
        foreach (var clock in clocks)
            _replicas.Add(Open(_replicas.Count, clock));
    }

    /// <summary>How often each kind of thing happened, to show that the schedules reach it.</summary>
    public Dictionary<string, int> Counts { get; } = [];

    public void Run()
    {
        for (var steps = _random.Next(60, 200); steps > 0; steps--)
        {
            Step();
            Settle();
        }

        // All faults end: every call is answered, every object can be read, and what has expired is swept.
        _calm = true;
        Drive(() => _calls.TrueForAll(call => call.IsConcluded), "a call is never answered");
        foreach (var id in Ids)
            Begin(new ReplicaCall(0, id, changes: false));
        Drive(() => _calls.TrueForAll(call => call.IsConcluded), "an object can't be read in the end");
        if (_calls[^1].Task.Exception is { } error)
            throw new ScheduleViolation($"{_calls[^1]} fails without a fault: {error.InnerException}");
        Drive(() => _model.IsSwept(_time.GetUtcNow()), "an expired object is never swept");
        (Counts["swept"], Counts["expired and replaced"]) = _model.Ends;
        var ends = _replicas.ConvertAll(replica => replica.Documents.DisposeAsync().AsTask());
        Drive(() => ends.TrueForAll(end => end.IsCompleted), "a disposal never ends");
    }

    private void Step()
    {
        switch (_random.Next(100))
        {
            case < 34:
                Begin(NewCall());
                break;
            case < 76:
                if (UnderWay() is { Count: > 0 } requests)
                    Arrive(requests[_random.Next(requests.Count)]);
                break;
            case < 90:
                PassTime();
                break;
            case < 93:
                if (_calls.FindAll(call => !call.IsConcluded) is { Count: > 0 } calls)
                    calls[_random.Next(calls.Count)].Cancellation.Cancel();
                break;
            default:
                _replicas[_random.Next(_replicas.Count)].Clock.Offset = (_random.NextDouble() - 0.5) * Skew;
                Moved();
                break;
        }
    }

    private ReplicaCall NewCall() => new(_random.Next(_replicas.Count), Ids[_random.Next(Ids.Length)], changes: Chance(0.6))
    {
        Throws = Chance(0.1),
        Lives = Chance(0.2) ? null : TimeSpan.FromMilliseconds(_random.Next(-200, 5_000)),
    };

    private void Begin(ReplicaCall call)
    {
        _calls.Add(call);
        _model.Begin(call);
        var notes = _replicas[call.Replica].Notes;
        var token = call.Cancellation.Token;
        call.Task = Task.Run(() => call.Changes ? UpdateAsync() : notes.GetAsync(call.Id, token).AsTask(), CancellationToken.None);

        async Task<string?> UpdateAsync()
        {
            try
            {
                return await notes.UpdateAsync(call.Id, text => Change(call, text), token);
            }
            catch (OutcomeUnknownException) when (_bug == ReplicaBug.UnknownOutcomeIsRetried)
            {
                return await notes.UpdateAsync(call.Id, text => Change(call, text), token);
            }
        }
    }

    private string Change(ReplicaCall call, string? text)
    {
        try
        {
            var made = _model.Run(call, text, call.Lives is { } lives ? _time.GetUtcNow() + lives : DateTimeOffset.MaxValue);
            if (call.Runs.Count > 1)
                Count("run again");
            return call.Throws ? throw new ScheduleException() : made;
        }
        catch (ScheduleViolation violation)
        {
            _violation ??= violation;
            throw;
        }
    }

    private void Conclude(ReplicaCall call)
    {
        call.IsConcluded = true;
        var error = call.Task.IsCanceled ? new OperationCanceledException() : call.Task.Exception?.InnerException;
        Count(error?.GetType().Name ?? (call.Task.Result is null ? "nothing" : "done"));
        switch (error)
        {
            case null when call.Changes:
                _model.Made(call, _bug == ReplicaBug.FirstRunIsAnswered ? call.Runs[0].Number : ScheduleValue.Number(call.Task.Result!));
                break;
            case null:
                _model.Saw(call, call.Task.Result is { } text ? ScheduleValue.Number(text) : 0);
                break;
            case ScheduleException:
                _model.Saw(call, call.Runs[^1].Saw);
                break;
            case NotAppliedException or HandleClosedException or StoppedException or OverloadException or FillFailedException:
                _model.Denied(call);
                break;
            case OutcomeUnknownException:
            case OperationCanceledException when call.Cancellation.IsCancellationRequested:
                break;
            default:
                throw new ScheduleViolation($"{call} was answered with {error}");
        }
    }

    private void Arrive(ScheduleRequest request)
    {
        var network = _replicas.Find(replica => replica.Network.UnderWay.Contains(request))?.Network;
        var whole = Fault(0.5) ? Outcome() : null;
        network?.Arrive(
            request, () => whole ?? (Fault(0.2) ? Outcome() : null), answered: !Fault(0.4), arrivesAgain: request.WriteBatch is not null && Fault(0.4));
    }

    private void PassTime()
    {
        var step = TimeSpan.FromMilliseconds(_random.Next(30));
        if (Chance(0.3))
            step = TimeSpan.FromMilliseconds(_random.Next(4_000));
        else if (_time.NextDue - _time.Now is { } wait && wait > TimeSpan.Zero && Chance(0.7))
            step = wait;
        Advance(step);
    }

    private void Advance(TimeSpan step)
    {
        _time.Advance(step);
        Moved();
    }

    private void Moved() => _model.Move(_calls.FindAll(call => !call.IsConcluded));

    private void Settle()
    {
        _activity.WaitUntilQuiet();
        if (_violation is not null)
            throw _violation;
        foreach (var call in _calls.FindAll(call => !call.IsConcluded && call.Task.IsCompleted))
            Conclude(call);
    }

    /// <summary>Answers everything and lets time pass, until something holds.</summary>
    private void Drive(Func<bool> until, string otherwise)
    {
        Settle();
        var step = TimeSpan.FromMilliseconds(1);
        for (var round = 0; !until(); round++)
        {
            if (round == MostRounds)
                throw new ScheduleViolation(otherwise + ": " + string.Join("; ", _calls.FindAll(call => !call.IsConcluded)));
            var requests = UnderWay();
            requests.ForEach(Arrive);
            Settle();
            if (requests.Count > 0)
                continue;
            var wait = _time.NextDue - _time.Now;
            Advance(wait > step ? wait.Value : step);
            step = TimeSpan.FromTicks(Math.Min(2 * step.Ticks, TimeSpan.TicksPerSecond));
            Settle();
        }
    }

    private Replica Open(int index, WallClock clock)
    {
        var network = new ScheduleNetwork(1, new StorageLimits
        {
            MaxValueBytes = 60,
            MaxChangeSetParts = 5,
            MaxChangeSetBytes = 100,
            MaxBatchKeys = _random.Next(1, 5),
            MaxBatchBytes = 100,
        }, write => _model.Apply(index, write), _model.Find, static _ => 0)
        {
            List = _model.List,
        };
        // The product's clock is the model's, but for the bug.
        var seen = _bug == ReplicaBug.LateClock ? new WallClock(clock) { Offset = TimeSpan.FromSeconds(-0.5) } : clock;
        var documents = new DocumentStore(network, Options(), seen, random: Draw);
        var notes = documents.GetCollection("notes", new CollectionOptions<string>
        {
            OnConflict = OnConflict.Retry,
            Freshness = _bug == ReplicaBug.ReadsFromMemory ? Freshness.Memory : Freshness.Store,
            ExpiresAt = text => _model.ExpiryOf(text) is var at && at == DateTimeOffset.MaxValue ? null : at,
            MaxClockSkew = _bug == ReplicaBug.SweepIgnoresSkew ? TimeSpan.Zero : Skew,
            SweepInterval = TimeSpan.FromSeconds(_random.Next(1, 4)),
        });
        var opening = documents.Client.OpenAsync(CancellationToken.None);
        if (!opening.IsCompletedSuccessfully)
            throw new ScheduleViolation("does not open");
        return new Replica(network, documents, notes, clock);
    }

    private DocumentStoreOptions Options() => new()
    {
        MaxCachedObjects = _random.Next(1, 4),
        Stout = new StoutOptions
        {
            CallbackTimeout = TimeSpan.FromSeconds(5),
            RequestTimeout = TimeSpan.FromSeconds(5),
            UnreachableTimeout = TimeSpan.FromSeconds(10),
            ResolveUnknownFor = TimeSpan.FromSeconds(_random.Next(8)),
            Pacing = Chance(0.5) ? PacingLaws.NoBatching() : PacingLaws.FixedInterval(),
        },
    };

    private WriteOutcomeKind? Outcome() => _random.Next(8) switch
    {
        < 2 => WriteOutcomeKind.Overloaded,
        < 3 => WriteOutcomeKind.Unreachable,
        < 7 => WriteOutcomeKind.Unknown,
        _ => WriteOutcomeKind.Refused,
    };

    private List<ScheduleRequest> UnderWay() => [.. _replicas.SelectMany(replica => replica.Network.UnderWay)];

    private double Draw()
    {
        lock (_drawLock)
            return _draws.NextDouble();
    }

    private bool Chance(double probability) => _random.NextDouble() < probability;

    private bool Fault(double weight) => !_calm && Chance(weight * _faults * 2);

    private void Count(string what)
    {
        lock (Counts)
            Counts[what] = Counts.GetValueOrDefault(what) + 1;
    }

    private sealed record Replica(ScheduleNetwork Network, DocumentStore Documents, DocumentCollection<string> Notes, WallClock Clock);
}
