using Stout.Documents.Tests.Expiry;
using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules.Replicas;

/// <summary>
/// One schedule of two or three replicas that retry on conflicts and whose objects expire, with clocks that jump within the skew.
/// </summary>
internal sealed class ReplicaSchedule : SharedStoreSchedule<ReplicaCall>
{
    private static readonly TimeSpan Skew = TimeSpan.FromSeconds(1);
    private static readonly string[] Ids = ["a", "b"];

    private readonly ReplicaBug _bug;
    private readonly ReplicaModel _model;
    private readonly List<Replica> _replicas = [];

    public ReplicaSchedule(int seed, ReplicaBug bug, ThreadPoolActivity activity)
        : base(seed, activity)
    {
        _bug = bug;
        var clocks = Enumerable.Range(0, Random.Next(2, 4)).Select(_ => new WallClock(Time)).ToList();
        _model = new ReplicaModel([.. clocks.Select(clock => (Func<DateTimeOffset>)clock.GetUtcNow)], Skew, bug);
        foreach (var clock in clocks)
            _replicas.Add(OpenReplica(_replicas.Count, clock));
    }

    /// <summary>Checks that every object can be read, and that expired objects are swept.</summary>
    protected override void End()
    {
        foreach (var id in Ids)
        {
            var error = Read(id);
            if (error is FillFailedException)
                error = Read(id); // the first read may have shared a fill that a sweep began before the faults ended
            if (error is not null)
                throw new ScheduleViolation($"{Calls[^1]} fails without a fault: {error}");
        }

        Drive(() => _model.IsSwept(Time.GetUtcNow()), "an expired object is never swept");
        (Counts["swept"], Counts["expired and replaced"]) = _model.Ends;
    }

    /// <returns>The error of a read that is driven to its end.</returns>
    private Exception? Read(string id)
    {
        Begin(new ReplicaCall(0, id, changes: false));
        DriveCalls("an object can't be read in the end");
        return Calls[^1].Error;
    }

    protected override void Conclude(ReplicaCall call)
    {
        var error = call.Error;
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

    protected override void Moved() => _model.Move(OpenCalls);

    protected override void Step()
    {
        switch (Random.Next(100))
        {
            case < 34:
                Begin(NewCall());
                break;
            case < 76:
                ArriveAny();
                break;
            case < 90:
                PassTime();
                break;
            case < 93:
                CancelAny();
                break;
            default:
                _replicas[Random.Next(_replicas.Count)].Clock.Offset = (Random.NextDouble() - 0.5) * Skew;
                Moved();
                break;
        }
    }

    private ReplicaCall NewCall() => new(Random.Next(_replicas.Count), Ids[Random.Next(Ids.Length)], changes: Chance(0.6))
    {
        Throws = Chance(0.1),
        Lives = Chance(0.2) ? null : TimeSpan.FromMilliseconds(Random.Next(-200, 5_000)),
    };

    private void Begin(ReplicaCall call)
    {
        Calls.Add(call);
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

    private string Change(ReplicaCall call, string? text) => Guard(() =>
    {
        var made = _model.Run(call, text, call.Lives is { } lives ? Time.GetUtcNow() + lives : DateTimeOffset.MaxValue);
        if (call.Runs.Count > 1)
            Count("run again");
        return call.Throws ? throw new ScheduleException() : made;
    });

    private Replica OpenReplica(int index, WallClock clock)
    {
        var network = new ScheduleNetwork(1, Limits(), write => _model.Apply(index, write), _model.Find, static _ => 0) { List = _model.List };
        // The product uses the model's clock, or with the planted bug a clock that is 0.5 s behind.
        var documents = OpenClient(network, _bug == ReplicaBug.LateClock ? new WallClock(clock) { Offset = TimeSpan.FromSeconds(-0.5) } : clock);
        var notes = documents.GetCollection("notes", new CollectionOptions<string>
        {
            OnConflict = OnConflict.Retry,
            Freshness = _bug == ReplicaBug.ReadsFromMemory ? Freshness.Memory : Freshness.Store,
            ExpiresAt = text => _model.ExpiryOf(text) is var at && at == DateTimeOffset.MaxValue ? null : at,
            MaxClockSkew = _bug == ReplicaBug.SweepIgnoresSkew ? TimeSpan.Zero : Skew,
            SweepInterval = TimeSpan.FromSeconds(Random.Next(1, 4)),
        });
        return new Replica(notes, clock);
    }

    private sealed record Replica(DocumentCollection<string> Notes, WallClock Clock);
}
