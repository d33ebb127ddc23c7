using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Pacing;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Lanes.Schedules;

/// <summary>
/// One schedule, given by its seed: one or two processes, a few keys, a faulty store and a faulty network. The seed decides the order of events, on virtual
/// time. Throws a <see cref="ScheduleViolation"/> as soon as a guarantee is broken.
/// </summary>
internal sealed class Schedule
{
    private static readonly string[] Keys = ["a", "b", "c", "d"];
    private static readonly string[] Parts = ["", "p", "q"];

    private readonly Random _random;
    private readonly Dictionary<KeyFill, int> _read = [];
    private readonly Dictionary<KeyHandle, int> _released = [];
    private readonly ScheduleProcess?[] _processes;
    private readonly bool _withClaims;
    private readonly double _faults;
    private TimeSpan _now;
    private int _changes;
    private int _processesStarted;
    private bool _calm;

    // In some schedules the store stays silent, or overloaded, to the end: everything that waits ends by its own time limit.
    private readonly bool _staysSilent;
    private readonly bool _staysOverloaded;
    private bool _isOver;

    public Schedule(int seed, PlantedBug bug)
    {
        _random = new Random(seed);
        Bug = bug;
        Lineage = new Lineage();
        Store = new ScheduleStore(Lineage, ignoresStamps: bug == PlantedBug.StampIgnored, ignoresOwners: bug == PlantedBug.OwnerIgnored);
        Network = new ScheduleNetwork(this);
        _withClaims = Chance(0.4);
        _faults = _random.Next(4) * 0.08;
        (_staysSilent, _staysOverloaded) = _random.Next(10) switch { 0 => (true, false), 1 => (false, true), _ => (false, false) };
        _processes = new ScheduleProcess?[Chance(0.4) ? 2 : 1];
        for (var i = 0; i < _processes.Length; i++)
            _processes[i] = NewProcess();
    }

    public PlantedBug Bug { get; }

    public Lineage Lineage { get; }

    public ScheduleStore Store { get; }

    public ScheduleNetwork Network { get; }

    /// <summary>The number of times that each kind of event or outcome happened, to show that the schedules reach it.</summary>
    public Dictionary<string, int> Counts { get; } = [];

    public bool Chance(double probability) => _random.NextDouble() < probability;

    public void Run()
    {
        var steps = _random.Next(60, 240);
        for (var i = 0; i < steps; i++)
            Step();
        Calm();
        Store.CheckAll();
    }

    /// <summary>Checks a message that was released or has failed: its statement about the store must be true.</summary>
    public void Conclude(ScheduleMessage message, StoutException? failure)
    {
        var key = message.Handle.Key.Text;
        if (Bug == PlantedBug.ConflictOfRepeatTakenForNotApplied
            && failure is OutcomeUnknownException { InnerException: ConflictException or FencedException } unknown)
            failure = (StoutException)unknown.InnerException!;

        if (message.Acknowledged is { } acknowledged)
        {
            if (failure is null)
                Confirmed(message, acknowledged);
            return;
        }

        CheckOrder(message);
        Count(failure is null ? "safe" : failure.GetType().Name);
        if (failure is null)
            Store.Acknowledge(key, message.Seen, message.ToString());
        else if (message.IsChange && failure is NotAppliedException or HandleClosedException { InnerException: not OutcomeUnknownException })
            Store.Deny(key, message.Seen, $"{message} ({failure.GetType().Name}, {failure.InnerException?.GetType().Name})");
    }

    /// <summary>Records the state that a read has seen in the store.</summary>
    public void NoteRead(KeyFill fill) => _read[fill] = Store.StateOf(fill.Handle.Key.Text);

    public int StateRead(KeyFill fill) => _read[fill];

    /// <summary>Checks that a confirmed read shows every state that was acknowledged before the read began, by any owner.</summary>
    private void Confirmed(ScheduleMessage message, IReadOnlyList<int> acknowledged)
    {
        Count("confirmed");
        foreach (var state in acknowledged)
        {
            if (!Lineage.Contains(message.Seen, state))
                throw new ScheduleViolation($"{message} on {message.Handle.Key} was confirmed with state {message.Seen}; state {state} had been acknowledged before");
        }
    }

    private void CheckOrder(ScheduleMessage message)
    {
        var expected = _released.GetValueOrDefault(message.Handle);
        if (message.Number != expected && Bug is PlantedBug.None)
            throw new ScheduleViolation($"{message} on {message.Handle.Key} was released in the place of {expected}");
        _released[message.Handle] = expected + 1;
    }

    private void Step()
    {
        var at = _random.Next(_processes.Length);
        var process = _processes[at]!;
        switch (_random.Next(100))
        {
            case < 34:
                Use(process);
                break;
            case < 50:
                process.Run(_random.Next(1, 6), _now);
                break;
            case < 64:
                if (Pick(process.Serializing) is { } call && !Fault(0.3))
                    process.Serialize(call, SerializeFaults());
                break;
            case < 70:
                if (Pick(process.Deserializing) is { } fill && !Fault(0.3))
                    process.Deserialize(fill, Fault(0.3) ? new FormatException("bad bytes") : null);
                break;
            case < 86:
                if (Network.Late.Count > 0 && Chance(0.3))
                    ArriveLate();
                else if (Pick(Network.UnderWay) is { } request)
                    Arrive(request);
                break;
            case < 95:
                PassTime(process);
                break;
            case < 97:
                Count("cancel");
                process.CancelFill(_random);
                break;
            case < 98:
                if (Fault(0.5))
                    Kill(at);
                break;
            default:
                if (Pick(process.Objects.Values.ToList()) is { } idle)
                    process.Close(idle);
                break;
        }
    }

    private void Use(ScheduleProcess process)
    {
        var key = Keys[_random.Next(Keys.Length)];
        if (process.OldObjects.Count > 0 && Chance(0.1))
        {
            // A request of the service may still hold an object from before the failure.
            Change(process, Pick(process.OldObjects)!);
            return;
        }

        process.Objects.TryGetValue(key, out var target);
        if (target is null || target.Handle.IsClosed || Chance(0.03))
        {
            if (process.Filling.Contains(key))
                return;
            Fill(process, key, target);
        }
        else if (Chance(0.1))
        {
            process.Confirm(target);
        }
        else if (Chance(0.2))
        {
            process.Send(target, isChange: false);
        }
        else
        {
            Change(process, target);
        }
    }

    private void Change(ScheduleProcess process, ScheduleObject target)
    {
        var all = Chance(0.06);
        var dirty = all && Chance(0.5) ? [] : Parts.Where(_ => Chance(0.45)).ToArray();
        var deleted = Chance(0.12) ? Parts[_random.Next(Parts.Length)] : null;
        if (!all && dirty.Length == 0 && deleted is null)
            dirty = [Parts[0]];
        process.Change(target, dirty, deleted, all, ++_changes, sendMessage: Chance(0.85));
    }

    private void Fill(ScheduleProcess process, string key, ScheduleObject? target)
    {
        var id = new PartitionKey(key);
        if (!_withClaims || Chance(0.05))
        {
            Count("fill");
            process.Fill(key, new FillCall(id, Chance(0.1) ? FillKind.Absent : FillKind.Shared));
            return;
        }

        // Another process, or this one, may have closed the key when all its changes were durable, and handed over the key's header and state.
        var left = _processes.Select(other => other!.Objects.GetValueOrDefault(key)).FirstOrDefault(other => other is { HandsOver: not null, Handle.Owner.IsClaimed: true });
        if (left is not null && Chance(0.5))
        {
            Count("take over");
            var claim = new KeyClaim(NewId()) { OnlyIf = new KeyHeader(left.Handle.Version, left.Handle.Owner) };
            process.Fill(key, new FillCall(id, FillKind.TakeOver) { Claim = claim }, left.HandsOver!.Value);
        }
        else if (target is not null && Chance(0.3))
        {
            Count("refresh");
            process.Fill(key, new FillCall(id, FillKind.Refresh) { Owner = target.Handle.Owner });
        }
        else
        {
            Count("claim");
            process.Fill(key, new FillCall(id, FillKind.Claim) { Claim = new KeyClaim(NewId(), _random.Next(3)) });
        }
    }

    private Guid NewId()
    {
        var bytes = new byte[16];
        _random.NextBytes(bytes);
        return new Guid(bytes);
    }

    private void Arrive(ScheduleRequest request)
    {
        if (Fault(0.3))
        {
            Count("broken");
            Network.Break(request);
            return;
        }

        var whole = _calm && _staysOverloaded && !_isOver ? WriteOutcomeKind.Overloaded : Fault(0.6) ? Outcome() : null;
        Network.Arrive(
            request,
            () => whole ?? (Fault(0.3) ? Outcome() : null),
            answered: !Fault(0.5),
            arrivesAgain: Fault(0.4));
    }

    private void ArriveLate()
    {
        Count("late claim");
        Network.ArriveLate(_random.Next(Network.Late.Count));
    }

    private WriteOutcomeKind? Outcome() => _random.Next(12) switch
    {
        < 3 => WriteOutcomeKind.Overloaded,
        < 5 => WriteOutcomeKind.Unreachable,
        < 8 => WriteOutcomeKind.Unknown,
        < 10 => WriteOutcomeKind.Busy,
        < 11 => WriteOutcomeKind.LimitExceeded,
        _ => WriteOutcomeKind.Refused,
    };

    private Func<SerializeFault> SerializeFaults() => () => !Fault(0.25)
        ? SerializeFault.None
        : _random.Next(4) switch
        {
            0 => SerializeFault.Fail,
            1 => SerializeFault.Throw,
            _ => SerializeFault.Leave,
        };

    private void PassTime(ScheduleProcess process)
    {
        var step = TimeSpan.FromMilliseconds(_random.Next(30));
        if (process.Core.WakeAt is { } wake && wake > _now && Chance(0.6))
            step = wake - _now;
        else if (Fault(0.1))
            step = TimeSpan.FromSeconds(_random.Next(60));
        _now += step;
        process.Run(0, _now);
    }

    /// <summary>SIGKILL: memory is gone; sent requests are still under way.</summary>
    private void Kill(int at)
    {
        Count("killed");
        for (var i = 0; i < Network.UnderWay.Count; i++)
        {
            if (Network.UnderWay[i].Process == _processes[at])
                Network.UnderWay[i] = Network.UnderWay[i] with { Write = null };
        }

        foreach (var request in Network.UnderWay.Where(request => request.Process == _processes[at] && request.Read is not null))
            Network.SenderDies(request.Read!);
        Network.UnderWay.RemoveAll(request => request.Process == _processes[at] && request.Read is not null);
        _processes[at] = NewProcess();
    }

    /// <summary>
    /// Ends the random faults and stops every process. Each process must drain, and each message must be released or fail, even if the store stays silent
    /// or overloaded to the end.
    /// </summary>
    private void Calm()
    {
        _calm = true;
        foreach (var process in _processes)
            process!.Stop();
        for (var round = 0; _processes.Any(p => !p!.IsDrained); round++)
        {
            if (round > 20_000)
                throw new ScheduleViolation("does not drain");
            if (!_staysSilent)
            {
                foreach (var request in Network.UnderWay.ToList())
                    Arrive(request);
            }

            foreach (var process in _processes)
                Settle(process!);
        }

        foreach (var process in _processes)
        {
            process!.Run(int.MaxValue, _now);
            foreach (var message in process.Waiting)
                throw new ScheduleViolation($"{message} on {message.Handle.Key} never came to an end");
        }

        _isOver = true;
        foreach (var request in Network.UnderWay.ToList())
            Arrive(request);
    }

    private void Settle(ScheduleProcess process)
    {
        foreach (var call in process.Serializing.ToList())
            process.Serialize(call, () => SerializeFault.None);
        foreach (var fill in process.Deserializing.ToList())
            process.Deserialize(fill, null);
        process.Run(int.MaxValue, _now);
        if (process.HasInputs || process.Serializing.Count > 0 || process.Deserializing.Count > 0 || process.IsDrained)
            return;
        if (!_staysSilent && Network.UnderWay.Any(request => request.Process == process))
            return;
        _now = process.Core.WakeAt is { } wake && wake > _now
            ? wake
            : throw new ScheduleViolation($"process {process.Id} sleeps with work to do");
        process.Run(0, _now);
    }

    private ScheduleProcess NewProcess()
    {
        var options = new StoutOptions { UnreachableTimeout = TimeSpan.FromSeconds(5), ResolveUnknownFor = TimeSpan.FromSeconds(20) };
        var limits = new StorageLimits
        {
            MaxValueBytes = 100,
            MaxChangeSetParts = 10,
            MaxChangeSetBytes = 100,
            MaxBatchKeys = _random.Next(1, 5),
            MaxBatchBytes = 100,
            DeletedHeaderRetention = TimeSpan.FromHours(1),
        };
        IPacingLaw law = _random.Next(5) switch
        {
            0 => new NoBatchingLaw(new NoBatchingLawParameters { MaxInFlight = _random.Next(1, 4) }),
            1 => new FixedIntervalLaw(new FixedIntervalLawParameters { Interval = TimeSpan.FromMilliseconds(_random.Next(1, 20)) }),
            2 => new PaperLaw(PaperLawParameters.SqlServer),
            3 => EqualBatches(),
            _ => new DelayLaw(new DelayLawParameters()),
        };
        return new ScheduleProcess(this, ++_processesStarted, options, limits, law, _random);
    }

    /// <summary>A law with equal batches. Its limit of requests in flight changes at random with each answer.</summary>
    private RecordingLaw EqualBatches()
    {
        var law = new RecordingLaw { MaxInFlight = 2, EqualBatches = true };
        law.OnAnswer = () => law.MaxInFlight = _random.Next(1, 4);
        return law;
    }

    private bool Fault(double weight) => !_calm && Chance(weight * _faults * 2);

    private T? Pick<T>(List<T> from)
        where T : class => from.Count == 0 ? null : from[_random.Next(from.Count)];

    private void Count(string what) => Counts[what] = Counts.GetValueOrDefault(what) + 1;
}
