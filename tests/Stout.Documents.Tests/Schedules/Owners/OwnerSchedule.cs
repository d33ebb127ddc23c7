using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules.Owners;

/// <summary>
/// One schedule of two or three clients that claim their objects and take them from one another, with reads from memory and reads that the store confirms.
/// Claims arrive late, twice, or after their sender has given up.
/// </summary>
internal sealed class OwnerSchedule : SharedStoreSchedule<OwnerCall>
{
    private static readonly string[] Ids = ["a", "b"];

    private readonly OwnerBug _bug;
    private readonly OwnerModel _model;
    private readonly List<DocumentCollection<string>> _clients = [];
    private readonly bool _areConfirmed;

    public OwnerSchedule(int seed, OwnerBug bug, ThreadPoolActivity activity)
        : base(seed, activity)
    {
        _bug = bug;
        _model = new OwnerModel(bug);
        _areConfirmed = Chance(0.5);
        for (var clients = Random.Next(2, 4); clients > 0; clients--)
            _clients.Add(Open());
    }

    /// <summary>Each client in turn takes every object over.</summary>
    protected override void End()
    {
        Drive(() => UnderWay().Count == 0, "requests never end");
        for (var client = 0; client < _clients.Count; client++)
        {
            foreach (var id in Ids)
                TakeOver(client, id);
        }
    }

    protected override void Conclude(OwnerCall call)
    {
        var error = call.Error;
        var isChange = call is { Kind: CallKind.Change, Keeps: false };
        Count(error?.GetType().Name ?? (isChange ? "changed" : call.IsConfirmed ? "confirmed" : "read"));
        if (error is OutcomeUnknownException && _bug == OwnerBug.UnknownTakenForNotApplied)
            _model.Denied(call);
        switch (error)
        {
            case null when isChange:
                _model.Made(call, ScheduleValue.Number(call.Task.Result!));
                break;
            case null:
                _model.Saw(call, call.Task.Result is { } text ? ScheduleValue.Number(text) : 0);
                break;
            case ScheduleException:
                _model.Saw(call, call.Saw);
                break;
            case FencedException when _bug == OwnerBug.FencedTakenForDurable && call.Made.Count > 0:
                _model.Made(call, call.Made[^1].Number);
                break;
            case FencedException fenced:
                _model.Fenced(call, fenced.StoredEpoch);
                _model.Denied(call);
                break;
            // Only owners write, so versions never conflict.
            case not ConflictException and (NotAppliedException or StoppedException or OverloadException or FillFailedException or UnconfirmedException):
            case HandleClosedException { InnerException: not OutcomeUnknownException }:
                _model.Denied(call);
                break;
            case OutcomeUnknownException or HandleClosedException:
            case OperationCanceledException when call.Cancellation.IsCancellationRequested:
                break;
            default:
                throw new ScheduleViolation($"{call} was answered with {error}");
        }
    }

    protected override void Step()
    {
        if (Chance(0.3))
            _model.ClaimLate();
        switch (Random.Next(100))
        {
            case < 34:
                Begin(NewCall());
                break;
            case var percent:
                StepAside(percent);
                break;
        }
    }

    private OwnerCall NewCall()
    {
        var kind = Random.Next(10) switch { < 2 => CallKind.Get, < 4 => CallKind.Read, _ => CallKind.Change };
        return new OwnerCall(Random.Next(_clients.Count), Ids[Random.Next(Ids.Length)], kind, kind == CallKind.Change ? _areConfirmed : Chance(0.5))
        {
            Throws = Chance(0.1),
            Keeps = Chance(0.2),
        };
    }

    private void Begin(OwnerCall call)
    {
        Calls.Add(call);
        _model.Begin(call);
        call.Task = Task.Run(() => RunAsync(call), CancellationToken.None);
    }

    private async Task<string?> RunAsync(OwnerCall call)
    {
        var (notes, token) = (_clients[call.Client], call.Cancellation.Token);
        var freshness = call.IsConfirmed && _bug != OwnerBug.ConfirmedFromMemory ? Freshness.Confirmed : Freshness.Memory;
        switch (call.Kind)
        {
            case CallKind.Get:
                return await notes.GetAsync(call.Id, freshness, token);
            case CallKind.Read:
                return await notes.ReadAsync(call.Id, view => See(call, ((DocumentReader<string>)view).Document, view), freshness, token);
            default:
                try
                {
                    return await notes.ChangeAsync(call.Id, editor => Change(call, editor), token);
                }
                catch (OutcomeUnknownException) when (_bug == OwnerBug.UnknownOutcomeIsRetried)
                {
                    return await notes.ChangeAsync(call.Id, editor => Change(call, editor), token);
                }
        }
    }

    private string? See(OwnerCall call, Document document, DocumentView<string> view) => Guard(() =>
    {
        var text = view[""];
        _model.See(call, document.Handle!.Owner, text);
        return call.Throws ? throw new ScheduleException() : text;
    });

    private string? Change(OwnerCall call, DocumentEditor<string> editor)
    {
        var text = See(call, ((StagedEditor<string>)editor).Document, editor);
        if (call.Keeps)
            return text;
        var made = _model.Make(call);
        editor.Set("", made);
        return made;
    }

    /// <summary>
    /// Changes an object that another client may have taken over. At most two attempts may fail. One is fenced if the object was taken over. One has an
    /// unknown outcome if the schedule's time passes before the answer.
    /// </summary>
    private void TakeOver(int client, string id)
    {
        for (var attempt = 1; ; attempt++)
        {
            var call = new OwnerCall(client, id, CallKind.Change, _areConfirmed);
            Begin(call);
            DriveCalls("an object is never taken over");
            if (call.Task.Exception?.InnerException is not { } error)
                break;
            if (error is not (FencedException or OutcomeUnknownException) || attempt > 2)
                throw new ScheduleViolation($"{call} fails without a fault: {error}");
        }
    }

    private DocumentCollection<string> Open()
    {
        var network = new ScheduleNetwork(1, Limits(), _model.Apply, _model.Find, static _ => 0) { Claim = _model.Claim };
        return OpenClient(network, Time).GetCollection("notes", new CollectionOptions<string>
        {
            Ownership = Ownership.Claim,
            Freshness = _areConfirmed && _bug != OwnerBug.ConfirmedFromMemory ? Freshness.Confirmed : null,
        });
    }
}
