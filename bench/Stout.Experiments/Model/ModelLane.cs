using Stout.Experiments.Model.Stores;
using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Pacing;
using Stout.Paper;
using Stout.Storage;

namespace Stout.Experiments.Model;

/// <summary>
/// A lane in virtual time: the production <see cref="LaneCore"/>, and code around it that takes no time. It does the work of <see cref="Lane"/>, with the event
/// queue for a timer and the model for a store.
/// </summary>
internal sealed class ModelLane : ILaneIntake, IModelEvent
{
    private readonly LanePlace _place;
    private readonly PaperRoom _room;
    private readonly TimeSpan _oneWay;
    private readonly ProcessClock? _clock;
    private readonly Stack<StoreCall> _calls = new();
    private readonly TimeSpan _startsAt;
    private TimeSpan _armedFor = TimeSpan.MaxValue;

    /// <param name="place">Where the lane is.</param>
    /// <param name="options">Validated options.</param>
    /// <param name="law">The lane's own law, or the process' law if <paramref name="clock"/> is given.</param>
    /// <param name="clock">Paces all lanes of the process; null: each lane paces itself, as in production.</param>
    /// <param name="random">The lane's random numbers.</param>
    public ModelLane(LanePlace place, StoutOptions options, IPacingLaw law, ProcessClock? clock, Random random)
    {
        _place = place;
        _oneWay = place.Kind.RoundTrip / 2;
        _clock = clock;
        Law = law;
        var writer = new byte[16];
        random.NextBytes(writer);
        _room = new PaperRoom(options);
        Core = new LaneCore(key => new KeyHandle(this, key), options, place.Kind.Limits, clock?.LawOfALane() ?? law, new Guid(writer), new Random(random.Next()), client: _room);
        if (clock is not null)
        {
            clock.Add(this);
            return;
        }

        _armedFor = place.Events.Now + StartPhase.Next(random);
        place.Events.Schedule(_armedFor, this);
        _startsAt = _armedFor;
    }

    public LaneCore Core { get; }

    public IPacingLaw Law { get; }

    public int Partition => _place.Partition;

    /// <summary>Opens a key that the store does not have: all data is in memory, as in the paper's workload.</summary>
    public KeyHandle Open(string key)
    {
        var request = new FillCall(new PartitionKey(key), FillKind.Absent);
        Core.Fill(request, _place.Events.Now);
        Proceed(_place.Events.Now);
        return request.Task.Result.Handle;
    }

    /// <summary>Changes a part of the key's object for a client.</summary>
    public void Change(KeyHandle handle, SubKey part, TimeSpan now) => _room.MarkDirty(handle, part, now);

    /// <summary>Deletes a part of the key's object for a client.</summary>
    public void Delete(KeyHandle handle, SubKey part, TimeSpan now) => _room.MarkDeleted(handle, part, now);

    /// <summary>Sends a client's reply, which waits until all changes of the object are durable.</summary>
    public void Send(KeyHandle handle, ModelMessage reply, TimeSpan now)
    {
        Core.Send(handle, reply);
        Proceed(now);
    }

    /// <summary>Advances the lane when its timer fires. An event before the time for which the timer is now armed does nothing.</summary>
    public void Happen(TimeSpan now)
    {
        if (now < _armedFor)
            return;
        _armedFor = TimeSpan.MaxValue;
        Proceed(now);
    }

    public void Answered(StoreCall call, WriteRequest request, TimeSpan now)
    {
        _calls.Push(call);
        Core.WriteAnswered(request, now);
        Proceed(now);
    }

    /// <summary>Advances the core, and carries out its commands until there are no more.</summary>
    public void Advance(TimeSpan now)
    {
        do
            Core.Advance(now);
        while (Carry(now));
        if (Core.WakeAt is not { } due || due >= _armedFor)
            return;
        _armedFor = due;
        _place.Events.Schedule(due, this);
    }

    bool ILaneIntake.TryPost(in LaneInput input) => throw new NotSupportedException("The model calls the core by itself.");

    ValueTask ILaneIntake.AdmitAsync(bool toChange, CancellationToken cancellationToken) => throw new NotSupportedException();

    void ILaneIntake.ReportCallbackError(Exception error) => throw new NotSupportedException();

    private void Proceed(TimeSpan now)
    {
        if (_clock is null && now >= _startsAt)
        {
            Advance(now);
            return;
        }

        Carry(now);
        if (_clock is not null && Core.OldestChange is not null)
            _clock.NoteWork(now);
    }

    // Carries out the core's commands. Returns whether that gave the core new input.
    private bool Carry(TimeSpan now)
    {
        var told = false;
        var commands = Core.Commands;
        for (var i = 0; i < commands.Count; i++)
        {
            var command = commands[i];
            switch (command.Kind)
            {
                case LaneCommandKind.CallClient:
                    Serialize((SerializationBatch)command.Subject!, now);
                    told = true;
                    break;
                case LaneCommandKind.SendWrite:
                    Send((WriteRequest)command.Subject!, now);
                    break;
                case LaneCommandKind.Release:
                    _place.Recorder.Released((ModelMessage)command.Subject!, now);
                    break;
                case LaneCommandKind.CompleteFill:
                    var request = (FillCall)command.Subject!;
                    request.TryComplete(null);
                    break;
                default:
                    throw new NotSupportedException($"No client of the model causes {command.Kind}.");
            }
        }

        commands.Clear();
        return told;
    }

    private void Serialize(SerializationBatch batch, TimeSpan now)
    {
        for (var i = 0; i < batch.Count; i++)
            _place.Objects.Serialize(batch[i]);
        batch.End();
        _room.Serialized(batch, null, now);
    }

    private void Send(WriteRequest request, TimeSpan now)
    {
        var answer = _place.Store.Take(now + _oneWay, request.Count, _place.Tier);
        if (!_calls.TryPop(out var call))
            call = new StoreCall(this, _place.Objects);
        call.Begin(request, answer.RetryAfter);
        var answeredAt = answer.At + _oneWay;
        _place.Recorder.Sent(request, answer, answeredAt - now);
        _place.Events.Schedule(answeredAt, call);
    }
}
