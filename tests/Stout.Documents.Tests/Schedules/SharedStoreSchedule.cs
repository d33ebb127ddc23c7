using Stout.Pacing;
using Stout.Storage;
using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules;

/// <summary>One call of one client of a schedule.</summary>
internal abstract class SharedStoreCall
{
    public CancellationTokenSource Cancellation { get; } = new();

    public Task<string?> Task { get; set; } = null!;

    public bool IsConcluded { get; set; }

    /// <summary>The error with which the call was answered; null if it has succeeded.</summary>
    public Exception? Error => Task.IsCanceled ? new OperationCanceledException() : Task.Exception?.InnerException;
}

/// <summary>
/// A schedule of several clients, given by its seed: whole document stores on one faulty store, on virtual time. Throws a <see cref="ScheduleViolation"/>
/// as soon as a guarantee is broken.
/// </summary>
internal abstract class SharedStoreSchedule<TCall>
    where TCall : SharedStoreCall
{
    private const int MostRounds = 5_000;

    private readonly ThreadPoolActivity _activity;
    private readonly List<ScheduleNetwork> _networks = [];
    private readonly List<DocumentStore> _clients = [];
    private readonly double _faults;
    private readonly Lock _drawLock = new();
    private readonly Random _draws;
    private ScheduleViolation? _violation;
    private bool _isCalm;

    protected SharedStoreSchedule(int seed, ThreadPoolActivity activity)
    {
        Random = new Random(seed);
        _draws = new Random(seed);
        _activity = activity;
        Time = new ScheduleTime(activity);
        _faults = Random.Next(4) * 0.1;
    }

    /// <summary>The number of times that each kind of event or outcome happened, to show that the schedules reach it.</summary>
    public Dictionary<string, int> Counts { get; } = [];

    protected Random Random { get; }

    protected ScheduleTime Time { get; }

    protected List<TCall> Calls { get; } = [];

    protected IEnumerable<TCall> OpenCalls => Calls.Where(call => !call.IsConcluded);

    public void Run()
    {
        for (var steps = Random.Next(60, 200); steps > 0; steps--)
        {
            Step();
            Settle();
        }

        // All faults end, and no request is late any more.
        _isCalm = true;
        DriveCalls("a call is never answered");
        End();
        var ends = _clients.ConvertAll(client => client.DisposeAsync().AsTask());
        Drive(() => ends.TrueForAll(end => end.IsCompleted), "a disposal never ends");
    }

    /// <summary>Takes a step that the seed chooses.</summary>
    protected abstract void Step();

    /// <summary>Checks what holds once all faults have ended and every call is answered.</summary>
    protected abstract void End();

    /// <summary>Checks that the answer of a call is true.</summary>
    protected abstract void Conclude(TCall call);

    /// <summary>Called after the clocks have moved.</summary>
    protected virtual void Moved()
    {
    }

    /// <summary>Opens a client's store.</summary>
    protected DocumentStore OpenClient(ScheduleNetwork network, TimeProvider time)
    {
        _networks.Add(network);
        var documents = new DocumentStore(network, Options(), time, random: Draw);
        var opening = documents.Client.OpenAsync(CancellationToken.None);
        if (!opening.IsCompletedSuccessfully)
            throw new ScheduleViolation("does not open");
        _clients.Add(documents);
        return documents;
    }

    protected StorageLimits Limits() => new()
    {
        MaxValueBytes = 60,
        MaxChangeSetParts = 5,
        MaxChangeSetBytes = 100,
        MaxBatchKeys = Random.Next(1, 5),
        MaxBatchBytes = 100,
    };

    /// <summary>Runs a check on the thread of a caller's function. A violation is kept, and ends the schedule when the present step is done.</summary>
    protected T Guard<T>(Func<T> check)
    {
        try
        {
            return check();
        }
        catch (ScheduleViolation violation)
        {
            _violation ??= violation;
            throw;
        }
    }

    /// <summary>Lets a request arrive, time pass, or a caller give up.</summary>
    /// <param name="percent">The step's random number, below 100.</param>
    protected void StepAside(int percent)
    {
        switch (percent)
        {
            case < 80:
                ArriveAny();
                break;
            case < 96:
                PassTime();
                break;
            default:
                CancelAny();
                break;
        }
    }

    protected void ArriveAny()
    {
        if (UnderWay() is { Count: > 0 } requests)
            Arrive(requests[Random.Next(requests.Count)]);
    }

    protected void CancelAny()
    {
        if (OpenCalls.ToList() is { Count: > 0 } calls)
            calls[Random.Next(calls.Count)].Cancellation.Cancel();
    }

    protected void PassTime()
    {
        var step = TimeSpan.FromMilliseconds(Random.Next(30));
        if (Chance(0.3))
            step = TimeSpan.FromMilliseconds(Random.Next(4_000));
        else if (Time.NextDue - Time.Now is { } wait && wait > TimeSpan.Zero && Chance(0.7))
            step = wait;
        Advance(step);
    }

    /// <summary>Waits until all that the last step has caused is done. Then checks the calls that have been answered.</summary>
    protected void Settle()
    {
        _activity.WaitUntilQuiet();
        if (_violation is not null)
            throw _violation;
        foreach (var call in OpenCalls.Where(call => call.Task.IsCompleted).ToList())
        {
            call.IsConcluded = true;
            Conclude(call);
        }
    }

    /// <summary>Answers all requests and lets time pass, until every call is answered.</summary>
    protected void DriveCalls(string otherwise) => Drive(() => !OpenCalls.Any(), otherwise);

    /// <summary>Answers all requests and lets time pass, until a condition holds.</summary>
    protected void Drive(Func<bool> until, string otherwise)
    {
        Settle();
        var step = TimeSpan.FromMilliseconds(1);
        for (var round = 0; !until(); round++)
        {
            if (round == MostRounds)
                throw new ScheduleViolation(otherwise + ": " + string.Join("; ", OpenCalls));
            var requests = UnderWay();
            requests.ForEach(Arrive);
            Settle();
            if (requests.Count > 0)
                continue;
            var wait = Time.NextDue - Time.Now;
            Advance(wait > step ? wait.Value : step);
            step = TimeSpan.FromTicks(Math.Min(2 * step.Ticks, TimeSpan.TicksPerSecond));
            Settle();
        }
    }

    protected bool Chance(double probability) => Random.NextDouble() < probability;

    protected void Count(string what)
    {
        lock (Counts)
            Counts[what] = Counts.GetValueOrDefault(what) + 1;
    }

    private DocumentStoreOptions Options() => new()
    {
        MaxCachedObjects = Random.Next(1, 4),
        Stout = new StoutOptions
        {
            CallbackTimeout = TimeSpan.FromSeconds(5),
            RequestTimeout = TimeSpan.FromSeconds(5),
            UnreachableTimeout = TimeSpan.FromSeconds(10),
            ResolveUnknownFor = TimeSpan.FromSeconds(Random.Next(8)),
            Pacing = Chance(0.5) ? PacingLaws.NoBatching() : PacingLaws.FixedInterval(),
        },
    };

    private void Arrive(ScheduleRequest request)
    {
        var whole = Fault(0.5) ? Outcome() : null;
        _networks.Find(network => network.UnderWay.Contains(request))?.Arrive(
            request, () => whole ?? (Fault(0.2) ? Outcome() : null), answered: !Fault(0.4), arrivesAgain: request.ChangesStore && Fault(0.4));
    }

    private WriteOutcomeKind? Outcome() => Random.Next(8) switch
    {
        < 2 => WriteOutcomeKind.Overloaded,
        < 3 => WriteOutcomeKind.Unreachable,
        < 7 => WriteOutcomeKind.Unknown,
        _ => WriteOutcomeKind.Refused,
    };

    protected List<ScheduleRequest> UnderWay() => [.. _networks.SelectMany(network => network.UnderWay)];

    private void Advance(TimeSpan step)
    {
        Time.Advance(step);
        Moved();
    }

    private double Draw()
    {
        lock (_drawLock)
            return _draws.NextDouble();
    }

    private bool Fault(double weight) => !_isCalm && Chance(weight * _faults * 2);
}
