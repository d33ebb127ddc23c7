using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Pacing;
using Stout.Paper;
using Stout.Storage;

namespace Stout.Tests.Lanes.Schedules;

/// <summary>
/// A process of the schedule: a lane's core, the memory of its application, and a shell that acts only when the schedule says so. Its inputs go
/// through a queue, as through the lane's channel, so memory may be ahead of the core.
/// </summary>
internal sealed class ScheduleProcess : ILaneIntake
{
    private readonly Schedule _schedule;
    private readonly Queue<Action<TimeSpan>> _intake = new();
    private readonly List<ScheduleMessage> _waiting = [];
    private readonly Dictionary<(long Run, string Key), int> _serialized = [];
    private readonly HashSet<KeyHandle> _beingSerialized = [];
    private readonly List<ScheduleMessage> _taken = [];
    private readonly Dictionary<FillCall, TimeLimit> _fills = [];
    private readonly Dictionary<FillCall, int> _states = [];
    private readonly StoutOptions _options;
    private TimeLimit? _drain;
    private TimeSpan _overslept;
    private TimeSpan _lastRun;
    private TimeSpan _longestInterval;

    public ScheduleProcess(Schedule schedule, int id, StoutOptions options, StorageLimits limits, IPacingLaw law, Random random)
    {
        _schedule = schedule;
        _options = options;
        Id = id;
        var writer = new byte[16];
        random.NextBytes(writer);
        Room = new PaperRoom(options);
        Core = new LaneCore(key => new KeyHandle(this, key), options, limits, law, new Guid(writer), new Random(random.Next()), client: Room);
    }

    public int Id { get; }

    public LaneCore Core { get; }

    public PaperRoom Room { get; }

    public Dictionary<string, ScheduleObject> Objects { get; } = [];

    public List<ScheduleObject> OldObjects { get; } = [];

    public List<SerializeCall> Serializing { get; } = [];

    public List<KeyFill> Deserializing { get; } = [];

    public HashSet<string> Filling { get; } = [];

    public bool HasInputs => _intake.Count > 0;

    public bool IsDrained { get; private set; }

    public IEnumerable<ScheduleMessage> Waiting => _waiting.Where(m => !m.IsConcluded);

    public bool TryPost(in LaneInput input) => throw new NotSupportedException("The schedule calls the core by itself.");

    public ValueTask AdmitAsync(bool toChange, CancellationToken cancellationToken) => throw new NotSupportedException();

    public void ReportCallbackError(Exception error) => throw new NotSupportedException();

    public void Post(Action<TimeSpan> input) => _intake.Enqueue(input);

    /// <summary>Gives the core some of the waiting inputs, and carries out the core's commands.</summary>
    public void Run(int inputs, TimeSpan now)
    {
        // A lane would have run when its input came, or else at `WakeAt`. The delay since then counts as overslept.
        var awake = _intake.Count > 0 ? _lastRun : Core.WakeAt ?? now;
        if (now > awake)
            _overslept += now - awake;
        _lastRun = now;
        for (var i = 0; i < inputs && _intake.TryDequeue(out var input); i++)
            input(now);
        Core.Advance(now);
        for (var i = 0; i < Core.Commands.Count; i++)
            Carry(Core.Commands[i]);
        Core.Commands.Clear();
        CheckLimits(now);
    }

    /// <summary>Begins to drain.</summary>
    public void Stop() => Post(now =>
    {
        Core.Stop();
        _drain = LimitOf("the drain", TimeLimit.OfAChange(_options, _longestInterval), now);
    });

    /// <param name="key">The key.</param>
    /// <param name="request">The request.</param>
    /// <param name="state">The state in memory after a fill that reads nothing.</param>
    public void Fill(string key, FillCall request, int state = Lineage.Nothing)
    {
        if (_schedule.Bug == PlantedBug.FillOverwritesMemory && Objects.TryGetValue(key, out var open) && !open.Handle.IsClosed)
        {
            Objects[key] = new ScheduleObject(open.Handle, _schedule.Lineage, _schedule.Store.StateOf(key));
            return;
        }

        Filling.Add(key);
        _states[request] = state;
        Post(now =>
        {
            if (_states.ContainsKey(request))
                _fills[request] = LimitOf($"the fill of {key}", TimeLimit.OfAFill(_options, _longestInterval), now);
            Core.Fill(request, now);
        });
    }

    /// <summary>A caller of a fill stops waiting, perhaps while its result is on the way.</summary>
    public void CancelFill(Random random)
    {
        if (_states.Count == 0)
            return;
        var call = _states.Keys.ElementAt(random.Next(_states.Count));
        if (!call.TryCancel(default))
            return;
        Post(_ => Core.Cancel(call));
        Filled(call, null);
    }

    /// <summary>Makes a change, marks it in the same critical section, and, if asked, sends a message that waits for it.</summary>
    public void Change(ScheduleObject target, IReadOnlyList<string> dirty, string? deleted, bool all, int change, bool sendMessage)
    {
        if (all)
        {
            target.DeleteAll();
            PostMark(target, (handle, now) => Room.MarkAllDeleted(handle, now));
        }

        if (dirty.Count > 0)
        {
            target.Set(dirty, change);
            foreach (var part in dirty)
                PostMark(target, (handle, now) => Room.MarkDirty(handle, new SubKey(part), now));
        }

        if (deleted is not null)
        {
            target.Remove(deleted);
            PostMark(target, (handle, now) => Room.MarkDeleted(handle, new SubKey(deleted), now));
        }

        if (sendMessage)
            Send(target, isChange: true);
    }

    public void Send(ScheduleObject target, bool isChange)
    {
        var message = new ScheduleMessage(this, target.Handle, target.MessagesSent++, target.State, isChange);
        _waiting.Add(message);
        Post(now =>
        {
            message.Limit = LimitOf($"{message} on {target.Handle.Key}", TimeLimit.OfAChange(_options, _longestInterval), now);
            _taken.Add(message);
            Core.Send(Redirected(target.Handle), message);
        });
    }

    /// <summary>
    /// Closes a handle if all its changes are durable. If the handle closes, changes that the core gets later have no effect. So the store then holds the state
    /// that memory has now.
    /// </summary>
    public void Close(ScheduleObject target)
    {
        var state = target.State;
        Post(_ =>
        {
            var wasOpen = !target.Handle.IsClosed;
            Core.TryClose(target.Handle, new TaskCompletionSource<bool>());
            if (wasOpen && target.Handle.IsClosed)
                target.HandsOver = state;
        });
    }

    /// <summary>A read whose reply leaves once the store has confirmed the owner.</summary>
    public void Confirm(ScheduleObject target)
    {
        var acknowledged = _schedule.Store.AcknowledgedOf(target.Handle.Key.Text);
        var message = new ScheduleMessage(this, target.Handle, -1, target.State, isChange: false) { Acknowledged = acknowledged };
        _waiting.Add(message);
        Post(now =>
        {
            var longest = TimeLimit.OfAdmission(_options) + TimeLimit.OfAChange(_options, _longestInterval);
            message.Limit = LimitOf($"{message} on {target.Handle.Key}", longest, now);
            _taken.Add(message);
            Core.Confirm(target.Handle, message, now);
        });
    }

    /// <summary>The Serialize callback takes a step: it serializes its next key, or comes to its end.</summary>
    public void Serialize(SerializeCall call, Func<SerializeFault> fault)
    {
        var batch = call.Batch;
        if (batch.IsOver)
        {
            Serializing.Remove(call);
            return;
        }

        if (call.Next < batch.Count)
        {
            var key = batch[call.Next++];
            switch (fault())
            {
                case SerializeFault.None:
                    Serialize(batch, key);
                    return;
                case SerializeFault.Leave:
                    key.Defer();
                    return;
                case SerializeFault.Fail:
                    key.Fail(new InvalidOperationException("failed"));
                    return;
            }

            call.Thrown = new InvalidOperationException("thrown");
        }

        Serializing.Remove(call);
        batch.End();
        Post(now =>
        {
            foreach (var handle in call.Handles)
                _beingSerialized.Remove(handle);
            Room.Serialized(batch, call.Thrown, now);
        });
    }

    private void Serialize(SerializationBatch batch, SerializationKey key)
    {
        if (!Objects.TryGetValue(key.Key.Text, out var target) || target.Handle != key.Handle)
            return;
        target.Serialize(key);
        _serialized[(batch.Run, key.Key.Text)] = target.State;
    }

    public void Deserialize(KeyFill fill, Exception? error)
    {
        Deserializing.Remove(fill);
        if (fill.IsOver)
            return;
        var key = fill.Handle.Key.Text;
        if (error is null)
        {
            if (Objects.Remove(key, out var old))
                OldObjects.Add(old);
            Objects[key] = new ScheduleObject(fill.Handle, _schedule.Lineage, _schedule.StateRead(fill));
        }

        Post(_ => Room.Deserialized(fill, error));
    }

    private TimeLimit LimitOf(string what, TimeSpan longest, TimeSpan now) => new(what, now, longest, _overslept);

    private void CheckLimits(TimeSpan now)
    {
        var interval = Core.GetStatistics().Interval;
        if (interval > _longestInterval)
            _longestInterval = interval;
        if (!IsDrained)
            _drain?.Check(now, _overslept);
        foreach (var message in _taken)
            message.Limit.Check(now, _overslept);
        foreach (var limit in _fills.Values)
            limit.Check(now, _overslept);
    }

    private void PostMark(ScheduleObject target, Action<KeyHandle, TimeSpan> mark) => Post(now =>
    {
        if (_schedule.Bug == PlantedBug.DirtyClearedAfterSerializing && _beingSerialized.Contains(target.Handle))
            return;
        mark(Redirected(target.Handle), now);
    });

    private KeyHandle Redirected(KeyHandle handle) =>
        _schedule.Bug == PlantedBug.OldHandleWorks && handle.IsClosed && Objects.TryGetValue(handle.Key.Text, out var current)
            ? current.Handle
            : handle;

    private void Carry(LaneCommand command)
    {
        switch (command.Kind)
        {
            case LaneCommandKind.CallClient when command.Subject is SerializationBatch batch:
                var call = new SerializeCall(batch);
                Serializing.Add(call);
                _beingSerialized.UnionWith(call.Handles);
                break;
            case LaneCommandKind.CallClient:
                Deserializing.Add((KeyFill)command.Subject!);
                break;
            case LaneCommandKind.SendWrite:
                Send((WriteRequest)command.Subject!);
                break;
            case LaneCommandKind.SendRead:
                _schedule.Network.Send(this, (ReadRequest)command.Subject!);
                break;
            case LaneCommandKind.Release:
                for (var message = (Message?)command.Subject; message is not null; message = message.Next)
                    Conclude((ScheduleMessage)message, message.Failure);
                break;
            case LaneCommandKind.CompleteFill:
                var fill = (FillCall)command.Subject!;
                if (fill.TryComplete(command.Failure))
                    Filled(fill, command.Handle);
                else
                    Core.Cancel(fill);
                break;
            case LaneCommandKind.Drained:
                IsDrained = true;
                break;
        }
    }

    private void Send(WriteRequest request)
    {
        var states = new int[request.Count];
        for (var i = 0; i < request.Count; i++)
        {
            var handle = request[i].Handle;
            states[i] = _serialized[(((SerializationBatch)request[i].Late!).Run, handle.Key.Text)];
            if (_schedule.Bug != PlantedBug.ReleaseOnSend)
                continue;
            foreach (var message in Waiting.Where(m => m.Handle == handle).ToList())
                Conclude(message, null);
        }

        _schedule.Network.Send(this, request, states);
    }

    private void Filled(FillCall request, KeyHandle? handle)
    {
        var key = request.Key.Text;
        _fills.Remove(request);
        _states.Remove(request, out var state);
        Filling.Remove(key);
        if (handle is null || Objects.GetValueOrDefault(key)?.Handle == handle)
            return;
        if (!handle.IsClosed)
            Objects[key] = new ScheduleObject(handle, _schedule.Lineage, state);
    }

    private void Conclude(ScheduleMessage message, StoutException? failure)
    {
        if (message.IsConcluded)
        {
            if (_schedule.Bug == PlantedBug.ReleaseOnSend)
                return;
            throw new ScheduleViolation($"{message} was released twice");
        }

        message.IsConcluded = true;
        _taken.Remove(message);
        _schedule.Conclude(message, failure);
    }
}

/// <summary>A Serialize callback under way.</summary>
internal sealed class SerializeCall(SerializationBatch batch)
{
    public SerializationBatch Batch => batch;

    public List<KeyHandle> Handles { get; } = [.. Enumerable.Range(0, batch.Count).Select(i => batch.Entry(i).Work.Handle)];

    /// <summary>The key that comes next.</summary>
    public int Next { get; set; }

    public Exception? Thrown { get; set; }
}

/// <summary>A fault of a Serialize callback.</summary>
internal enum SerializeFault
{
    None,
    Leave,
    Fail,
    Throw,
}
