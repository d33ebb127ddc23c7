using Stout.Pacing;
using Stout.Storage;
using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules;

/// <summary>
/// One schedule of the typed layer, given by its seed. It calls a document store with its lanes on virtual time, a faulty store below it, and late
/// callbacks. Throws a <see cref="ScheduleViolation"/> as soon as a guarantee is broken. Runs on a thread of its own.
/// </summary>
internal sealed partial class Schedule : IDisposable
{
    private static readonly string[] Ids = ["a", "b", "c"];
    private static readonly string[] Parts = ["", "p", "q"];

    private readonly Random _random;
    private readonly PlantedBug _bug;
    private readonly ThreadPoolActivity _activity;
    private readonly ScheduleTime _time;
    private readonly Lineage _lineage = new();
    private readonly ScheduleStore _store;
    private readonly ScheduleNetwork _network;
    private readonly ScheduleMemory _memory;
    private readonly DocumentStore _documents;
    private readonly DocumentCollection<string> _notes;
    private readonly List<ScheduleCall> _calls = [];
    private readonly double _faults;
    private bool _calm;

    public Schedule(int seed, PlantedBug bug, ThreadPoolActivity activity)
    {
        _random = new Random(seed);
        _bug = bug;
        _activity = activity;
        _time = new ScheduleTime(activity);
        _faults = _random.Next(4) * 0.1;
        _store = new ScheduleStore(_lineage, ignoresStamps: bug == PlantedBug.StampIgnored);
        _network = new ScheduleNetwork(
            _random.Next(1, 3), Limits(), write => _store.Apply(write.Write, write.State, write.Parts), _store.Find, key => _memory!.StateCarried(key)) { Lies = bug == PlantedBug.StoreLies };
        _memory = new ScheduleMemory(_lineage, _network.StateOf);
        _documents = new DocumentStore(_network, Options(), _time);
        _notes = _documents.GetCollection("notes", new Serializer(valuesAreImmutable: Chance(0.5)));
        var opening = _documents.Client.OpenAsync(CancellationToken.None);
        if (!opening.IsCompletedSuccessfully)
            throw new ScheduleViolation("does not open");
    }

    /// <summary>The number of times that each kind of event or outcome happened, to show that the schedules reach it.</summary>
    public Dictionary<string, int> Counts { get; } = [];

    public void Run()
    {
        for (var steps = _random.Next(40, 160); steps > 0; steps--)
        {
            Step();
            Settle();
        }

        if (Chance(0.3))
            EndInTheMiddle();
        else
            EndInPeace();
        _store.CheckAll();
    }

    /// <summary>Releases all threads that wait, even if the schedule has found a violation.</summary>
    public void Dispose() => LetAllGoOn();

    private void Step()
    {
        switch (_random.Next(100))
        {
            case < 40:
                Begin(NewCall());
                break;
            case < 74:
                if (Pick(_network.UnderWay) is { } request)
                    Arrive(request);
                break;
            case < 84:
                PassTime();
                break;
            case < 90:
                if (Pick(_calls.FindAll(call => call is { IsConcluded: false, Holds.IsOpen: false })) is { } held)
                    _activity.Open(held.Holds!);
                break;
            case < 93:
                if (Pick(_calls.FindAll(call => !call.IsConcluded)) is { } cancelled)
                    cancelled.Cancellation.Cancel();
                break;
            case < 94:
                if (Fault(2))
                    Intrude(Ids[_random.Next(Ids.Length)]);
                break;
            case < 97:
                _time.PauseLanes();
                break;
            default:
                _time.ResumeLanes();
                break;
        }
    }

    private void Arrive(ScheduleRequest request)
    {
        var whole = Fault(0.6) ? Outcome() : null;
        _network.Arrive(
            request, () => whole ?? (Fault(0.3) ? Outcome() : null), answered: !Fault(0.4), arrivesAgain: request.WriteBatch is not null && Fault(0.4));
    }

    private void PassTime()
    {
        var step = TimeSpan.FromMilliseconds(_random.Next(30));
        if (Fault(0.3))
            step = TimeSpan.FromSeconds(_random.Next(12));
        else if (_time.NextDue - _time.Now is { } wait && wait > TimeSpan.Zero && Chance(wait < TimeSpan.FromSeconds(1) ? 0.8 : 0.2))
            step = wait;
        _time.Advance(step);
    }

    /// <summary>Writes an object as another client, which does not own it.</summary>
    private void Intrude(string id)
    {
        var (key, number) = ("notes/" + id, _memory.NextNumber());
        var before = _store.StateOf(key);
        var state = _lineage.Add(before, new Dictionary<string, int>(_lineage[before].Parts) { ["p"] = number }, exists: true);
        lock (_modelLock)
            _stateOfNumber[number] = state;
        _network.Write(key, state, [("p", false, number)]);
    }

    /// <summary>Waits until all that the last step has caused is done. Then checks the calls that have been answered.</summary>
    private void Settle()
    {
        _activity.WaitUntilQuiet();
        foreach (var call in _calls.FindAll(call => !call.IsConcluded && call.Task.IsCompleted))
            Conclude(call);
    }

    private WriteOutcomeKind? Outcome() => _random.Next(11) switch
    {
        < 2 => WriteOutcomeKind.Overloaded,
        < 3 => WriteOutcomeKind.Unreachable,
        < 6 => WriteOutcomeKind.Unknown,
        < 8 => WriteOutcomeKind.Busy,
        _ => WriteOutcomeKind.Refused,
    };

    private StorageLimits Limits() => new()
    {
        MaxValueBytes = 60,
        MaxChangeSetParts = _random.Next(2, 6),
        MaxChangeSetBytes = 60,
        MaxBatchKeys = _random.Next(1, 5),
        MaxBatchBytes = 100,
        DeletedHeaderRetention = Chance(0.5) ? TimeSpan.FromMinutes(2) : null,
    };

    private DocumentStoreOptions Options() => new()
    {
        MaxCachedObjects = _random.Next(1, 4),
        Stout = new StoutOptions
        {
            MaxDirtyKeys = Chance(0.5) ? _random.Next(1, 3) : 1_000,
            CallbackTimeout = TimeSpan.FromSeconds(5),
            RequestTimeout = TimeSpan.FromSeconds(5),
            UnreachableTimeout = TimeSpan.FromSeconds(10),
            AnswerWithin = Chance(0.5) ? TimeSpan.FromSeconds(_random.Next(1, 20)) : null,
            ResolveUnknownFor = TimeSpan.FromSeconds(_random.Next(8)),
            Pacing = _random.Next(3) switch
            {
                0 => PacingLaws.NoBatching(),
                1 => PacingLaws.FixedInterval(),
                _ => PacingLaws.Delay(),
            },
        },
    };

    private bool Chance(double probability) => _random.NextDouble() < probability;

    private bool Fault(double weight) => !_calm && Chance(weight * _faults * 2);

    private T? Pick<T>(List<T> from)
        where T : class => from.Count == 0 ? null : from[_random.Next(from.Count)];

    private void Count(string what)
    {
        lock (Counts)
            Counts[what] = Counts.GetValueOrDefault(what) + 1;
    }

    private sealed class Serializer(bool valuesAreImmutable) : IPartSerializer<string>
    {
        public bool ValuesAreImmutable => valuesAreImmutable;

        public ReadOnlyMemory<byte> Serialize(string value) => System.Text.Encoding.UTF8.GetBytes(value);

        public string Deserialize(ReadOnlyMemory<byte> bytes) => System.Text.Encoding.UTF8.GetString(bytes.Span);
    }
}
