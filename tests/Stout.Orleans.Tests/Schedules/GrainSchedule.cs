using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Storage;
using Stout.Documents.Tests.Schedules;
using Stout.Documents.Tests.Schedules.Owners;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.Storage;
using Stout.Tests.Lanes.Schedules;

namespace Stout.Orleans.Tests.Schedules;

/// <summary>
/// One schedule of the states of grains, without silos. Activations on two or three clients read and write under claims, migrate, end early and lose their
/// keys to one another, while code outside the grains reads and writes the same states. Callers give up, and their calls go on.
/// </summary>
internal sealed class GrainSchedule : SharedStoreSchedule<GrainCall>
{
    private static readonly string[] Ids = ["a", "b"];

    private readonly GrainBug _bug;
    private readonly OwnerModel _model;
    private readonly List<StoutGrainStorage> _silos = [];
    private readonly List<GrainAccess> _activations = [];
    private readonly List<GrainAccess> _outside = [];

    public GrainSchedule(int seed, GrainBug bug, ThreadPoolActivity activity)
        : base(seed, activity)
    {
        _bug = bug;
        _model = new OwnerModel(bug switch
        {
            GrainBug.StampIgnored => OwnerBug.StampIgnored,
            GrainBug.ClaimReadsStaleObject => OwnerBug.ClaimReadsStaleObject,
            _ => OwnerBug.None,
        });
        for (var silos = Random.Next(2, 4); silos > 0; silos--)
        {
            _silos.Add(OpenSilo());
            foreach (var id in Ids)
                _outside.Add(new GrainAccess(_silos.Count - 1, id, new OutsideKey(_silos[^1].Store, KeyOf(id), "state", GrainOf(id))));
        }
    }

    protected override void Step()
    {
        switch (Random.Next(100))
        {
            case < 4:
                Activate(Random.Next(_silos.Count), Ids[Random.Next(Ids.Length)], former: null);
                break;
            case < 8:
                if (_activations is { Count: > 0 })
                    Close(_activations[Random.Next(_activations.Count)]);
                break;
            case < 30:
                if (_activations is { Count: > 0 })
                    Call(_activations[Random.Next(_activations.Count)]);
                break;
            case < 34:
                Call(_outside[Random.Next(_outside.Count)]);
                break;
            case var percent:
                StepAside(percent);
                break;
        }
    }

    /// <summary>Each silo in turn activates every grain.</summary>
    protected override void End()
    {
        Drive(() => UnderWay().Count == 0, "requests never end");
        for (var silo = 0; silo < _silos.Count; silo++)
        {
            foreach (var id in Ids)
                TakeOver(silo, id);
        }

        _activations.ToList().ForEach(Close);
        DriveCalls("a key is never closed");
    }

    protected override void Conclude(GrainCall call)
    {
        if (call.IsClose)
        {
            if (call.Error is { } failure)
                throw new ScheduleViolation($"{call} fails: {failure}");
            Count(call.Access.Key.Position is null ? "closed" : "closed with a position");
            if (call.Migrates)
                Activate(Random.Next(_silos.Count), call.Access.Id, call.Access);
            return;
        }

        var (error, known) = (call.Error, call.Known!);
        Count(error?.GetType().Name ?? (known.Kind == CallKind.Change ? "written" : "read"));
        switch (error)
        {
            case null when known.Kind == CallKind.Change:
            case InconsistentStateException { InnerException: FencedException } when _bug == GrainBug.FencedTakenForDurable:
                _model.Made(known, known.Made[^1].Number);
                break;
            case null:
                _model.Saw(known, call.Task.Result is { } text ? ScheduleValue.Number(text) : 0);
                break;
            case GrainStateOutcomeUnknownException when _bug == GrainBug.UnknownTakenForNotWritten:
                _model.Denied(known);
                break;
            case GrainStateOutcomeUnknownException:
                break;
            case InconsistentStateException or GrainStateNotWrittenException when known.Kind == CallKind.Change:
            case OperationCanceledException when call.Cancellation.IsCancellationRequested:
                _model.Denied(known);
                break;
            case StoutException or GrainStateNotReadException when known.Kind != CallKind.Change:
                break;
            default:
                throw new ScheduleViolation($"{call} was answered with {error}");
        }
    }

    private void Activate(int silo, string id, GrainAccess? former)
    {
        var position = HandedOverKey.Of("stout", "state", former?.Key.Position)?.ToPosition();
        var key = new OwnedKey(_silos[silo].Store, KeyOf(id), "state", GrainOf(id), position);
        var activation = new GrainAccess(silo, id, new OwnedState(key, "state", GrainOf(id), isShared: false));
        if (former is { HasRead: true })
            activation.Know(former.Number, former.ETag);
        _activations.Add(activation);
    }

    private void Close(GrainAccess activation)
    {
        _activations.Remove(activation);
        var call = new GrainCall(activation, null) { Migrates = Chance(0.7) };
        Calls.Add(call);
        call.Task = Task.Run(async () =>
        {
            await activation.Key.CloseAsync();
            return (string?)null;
        });
    }

    private GrainCall Call(GrainAccess access)
    {
        var kind = access.HasRead && Chance(0.7) ? CallKind.Change : CallKind.Read;
        // A read asks the store, so its answer is as of the call or newer.
        var call = new GrainCall(access, new OwnerCall(access.Silo, access.Id, kind, isConfirmed: true) { Saw = access.Number });
        Calls.Add(call);
        _model.Begin(call.Known!);
        call.Task = Task.Run(() => RunAsync(call), CancellationToken.None);
        return call;
    }

    private async Task<string?> RunAsync(GrainCall call)
    {
        var (access, known) = (call.Access, call.Known!);
        using var wait = new StateCall(_silos[access.Silo], "state", GrainOf(access.Id), call.Cancellation.Token);
        if (known.Kind == CallKind.Read)
        {
            var (state, read) = await wait.WaitForReadAsync(access.Key.ReadAsync(null, wait));
            access.Know(state.HasValue ? ScheduleValue.Number(state.Bytes) : 0, read);
            return state.HasValue ? ScheduleValue.Text(access.Number) : null;
        }

        var text = _model.Make(known);
        var number = ScheduleValue.Number(text);
        var etag = access.ETag;
        var next = new StoredState(StateKind.Value, ScheduleValue.Bytes(number));
        var written = await wait.WaitForChangeAsync(access.Key.ChangeAsync(next, etag, null, wait), etag);
        access.Know(number, written);
        return text;
    }

    /// <summary>
    /// Activates a grain and writes its state. At most two attempts may fail: one is refused if the time of an earlier request passes before its answer.
    /// </summary>
    private void TakeOver(int silo, string id)
    {
        Activate(silo, id, former: null);
        var activation = _activations[^1];
        for (var attempt = 1; ; attempt++)
        {
            var call = Call(activation);
            DriveCalls("a state is never taken over");
            if (call.Error is null && call.Known!.Kind == CallKind.Change)
                return;
            if (attempt > 50)
                throw new ScheduleViolation($"{call} fails without a fault: {call.Error}");
        }
    }

    private StoutGrainStorage OpenSilo()
    {
        var network = new ScheduleNetwork(1, Limits(), _model.Apply, _model.Find, static _ => 0) { Claim = _model.Claim };
        var client = OpenClient(network, Time).Client;
        var answers = new AnswerTime(Time, TimeSpan.FromSeconds(Chance(0.5) ? Random.Next(1, 10) : 1_000), TimeSpan.FromSeconds(30));
        var store = new KeyStore(client, GrainOwnership.Claim, new OrleansTelemetry("stout", NullLogger.Instance, null), answers);
        // A call asks the storage for its time limits and for the key's name, and for nothing of a silo.
        return new StoutGrainStorage("stout", "service", client, store, new StoutGrainStorageOptions(), null, null, null!, null!, null!, null!, NullLogger.Instance);
    }

    private static PartitionKey KeyOf(string id) => new("grains/" + id);

    private static GrainId GrainOf(string id) => GrainId.Create("grain", id);
}
