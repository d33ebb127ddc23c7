using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules;

/// <content>The calls: the behavior of their functions, and the checks of their answers.</content>
internal sealed partial class Schedule
{
    private readonly Lock _modelLock = new();
    private readonly Dictionary<int, int> _stateOfNumber = [];
    private ScheduleViolation? _violation;

    private ScheduleCall NewCall()
    {
        var kind = _random.Next(10) switch
        {
            < 2 => CallKind.Get,
            < 4 => CallKind.Read,
            _ => CallKind.Change,
        };
        return new ScheduleCall(Ids[_random.Next(Ids.Length)], kind)
        {
            Sets = [.. Parts.Where(_ => Chance(0.45))],
            Removes = Chance(0.15) ? Parts[_random.Next(Parts.Length)] : null,
            Deletes = Chance(0.1),
            Throws = Chance(0.15),
            Holds = !_calm && Chance(0.2) ? new Stop() : null,
        };
    }

    private void Begin(ScheduleCall call)
    {
        _calls.Add(call);
        var token = call.Cancellation.Token;
        // The call runs on the pool, since a function that the schedule holds blocks its thread.
        call.Task = Task.Run(
            () => call.Kind switch
            {
                CallKind.Get => _notes.GetAsync(call.Id, token).AsTask(),
                CallKind.Read => _notes.ReadAsync(call.Id, view => Read(call, view), token).AsTask(),
                _ => _notes.ChangeAsync(call.Id, editor => Change(call, editor), token).AsTask(),
            },
            CancellationToken.None);
    }

    private string? Read(ScheduleCall call, DocumentView<string> view)
    {
        See(call, ((DocumentReader<string>)view).Document, view);
        if (_bug == PlantedBug.ResultLeavesEarly || (call.Throws && _bug == PlantedBug.ExceptionLeavesEarly))
            Guard(() => _store.Acknowledge(Key(call), call.Seen, call.ToString()));
        return call.Throws ? throw new ScheduleException() : view[""];
    }

    private string? Change(ScheduleCall call, DocumentEditor<string> editor)
    {
        var document = ((StagedEditor<string>)editor).Document;
        var content = See(call, document, editor);
        var before = new Dictionary<string, int>(content);
        if (call.Deletes)
        {
            editor.Delete();
            content.Clear();
        }

        if (call.Removes is { } removed && editor.Remove(removed) != content.Remove(removed))
            Guard(() => throw new ScheduleViolation($"{call}: whether '{removed}' was there"));
        var number = _memory.NextNumber();
        foreach (var part in call.Sets)
        {
            editor.Set(part, ScheduleValue.Text(number));
            content[part] = number;
        }

        Check(call, editor, content);
        if (call.Throws)
        {
            if (_bug == PlantedBug.ExceptionLeavesEarly)
                Guard(() => _store.Acknowledge(Key(call), call.Seen, call.ToString()));
            throw new ScheduleException();
        }

        if (!ScheduleMemory.Equal(before, content))
        {
            var made = _memory.Make(document, call.Seen, content);
            lock (_modelLock)
                _stateOfNumber[number] = made;
            call.Made = made;
        }

        return editor[""];
    }

    /// <summary>Checks that a function sees the state in memory. If the function has run before, that run must have changed nothing.</summary>
    private Dictionary<string, int> See(ScheduleCall call, Document document, DocumentView<string> view)
    {
        var content = view.Names.ToDictionary(name => name, name => ScheduleValue.Number(view[name]!));
        Guard(() =>
        {
            if (call.Made is { } before)
                _store.Deny(Key(call), before, call + " is run again");
            call.Made = null;
            call.Seen = _memory.See(document, content);
        });
        if (++call.Runs > 1)
            Count("run again");
        Check(call, view, content);
        if (call.Holds is { } stop)
            _activity.Block(stop);
        return content;
    }

    private void Check(ScheduleCall call, DocumentView<string> view, Dictionary<string, int> content)
    {
        if (view.Exists != (content.Count > 0)
            || !view.Names.SequenceEqual(content.Keys.Order(StringComparer.Ordinal))
            || content.Any(part => view.SizeOf(part.Key) != ScheduleValue.Text(part.Value).Length || view[part.Key] != ScheduleValue.Text(part.Value)))
        {
            Guard(() => throw new ScheduleViolation($"{call}: the view shows something else than its parts"));
        }
    }

    /// <summary>Checks that the answer of a call is true.</summary>
    private void Conclude(ScheduleCall call)
    {
        call.IsConcluded = true;
        var error = call.Task.IsCanceled ? new OperationCanceledException() : call.Task.Exception?.InnerException;
        Count(error?.GetType().Name ?? "done");
        if (error is NotAppliedException { Reason: NotAppliedReason.KeyBusy })
            Count(nameof(NotAppliedReason.KeyBusy));
        if (error is not null && IsNotInTime(error))
            Count(error.GetType().Name + " in time");
        switch (error)
        {
            case null when call.Kind == CallKind.Get:
                if (call.Task.Result is { } text)
                    _store.Acknowledge(Key(call), _stateOfNumber[ScheduleValue.Number(text)], call.ToString());
                break;
            case null:
                _store.Acknowledge(Key(call), call.Made ?? call.Seen, call.ToString());
                break;
            case ChangeTooLargeException:
                Deny(call, error);
                _store.Acknowledge(Key(call), call.Seen, call.ToString());
                break;
            case ScheduleException:
                _store.Acknowledge(Key(call), call.Seen, call.ToString());
                break;
            case NotAppliedException when _bug == PlantedBug.FailureTakenForSuccess:
                _store.Acknowledge(Key(call), call.Made ?? call.Seen, call.ToString());
                break;
            case OutcomeUnknownException when _bug == PlantedBug.UnknownTakenForNotApplied:
            case NotAppliedException or HandleClosedException or StoppedException or OverloadException:
                Deny(call, error);
                break;
            case OutcomeUnknownException or FillFailedException:
            case OperationCanceledException when call.Cancellation.IsCancellationRequested:
                break;
            default:
                throw new ScheduleViolation($"{call} was answered with {error}");
        }

        if (_violation is not null)
            throw _violation;
    }

    /// <summary>Whether a call was answered because its time limit has passed.</summary>
    private static bool IsNotInTime(Exception error) => error
        is NotAppliedException { Reason: NotAppliedReason.NotAnsweredInTime }
        or OutcomeUnknownException { Reason: OutcomeUnknownReason.NotAnsweredInTime }
        or FillFailedException { InnerException: TimeoutException };

    private void Deny(ScheduleCall call, Exception error)
    {
        if (call.Made is { } made)
            _store.Deny(Key(call), made, $"{call} ({error.GetType().Name})");
    }

    /// <summary>Runs a check. Functions run on the pool, so the first violation is kept for the schedule's thread.</summary>
    private void Guard(Action check)
    {
        try
        {
            lock (_modelLock)
                check();
        }
        catch (ScheduleViolation violation)
        {
            _violation ??= violation;
        }
    }

    private static string Key(ScheduleCall call) => "notes/" + call.Id;
}
