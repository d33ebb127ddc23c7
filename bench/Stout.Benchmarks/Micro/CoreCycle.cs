using System.Buffers;
using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Pacing;
using Stout.Paper;
using Stout.Storage;

namespace Stout.Benchmarks.Micro;

/// <summary>Drives a lane's core without the lane: on one thread, with a store that accepts every write, so that only the core is measured.</summary>
internal sealed class CoreCycle : ILaneIntake
{
    private readonly LaneCore _core;
    private readonly PaperRoom _room;
    private readonly KeyHandle[] _handles;
    private readonly byte[] _value = new byte[64];
    private readonly List<LaneCommand> _commands = [];
    private TimeSpan _now;

    public CoreCycle(int keys)
    {
        var law = new NoBatchingLaw(new NoBatchingLawParameters { MaxInFlight = 2 });
        var options = new StoutOptions();
        _room = new PaperRoom(options);
        _core = new LaneCore(key => new KeyHandle(this, key), options, new InMemoryStore().Limits, law, Guid.NewGuid(), new Random(1), client: _room);
        _handles = [.. Enumerable.Range(0, keys).Select(i => Open($"key {i:D6}"))];
    }

    /// <summary>The number of messages released so far.</summary>
    public long Released { get; private set; }

    public KeyHandle HandleOf(int key) => _handles[key];

    /// <summary>Marks a key dirty. The key may be dirty already.</summary>
    public void Mark(int key) => _room.MarkDirty(_handles[key], SubKey.Root, _now);

    public void Send(int key, Message message) => _core.Send(_handles[key], message);

    /// <summary>Writes all dirty keys: they are frozen, serialized, sent and committed, and their messages are released.</summary>
    public void Flush()
    {
        do
        {
            _now += TimeSpan.FromTicks(1);
            _core.Advance(_now);
        }
        while (Carry());
    }

    bool ILaneIntake.TryPost(in LaneInput input) => throw new NotSupportedException();

    ValueTask ILaneIntake.AdmitAsync(bool toChange, CancellationToken cancellationToken) => throw new NotSupportedException();

    void ILaneIntake.ReportCallbackError(Exception error) => throw new NotSupportedException();

    private KeyHandle Open(string key)
    {
        var request = new FillCall(new PartitionKey(key), FillKind.Absent);
        _core.Fill(request, _now);
        Carry();
        return request.Task.Result.Handle;
    }

    private bool Carry()
    {
        _commands.AddRange(_core.Commands);
        _core.Commands.Clear();
        foreach (var command in _commands)
        {
            switch (command.Kind)
            {
                case LaneCommandKind.CallClient:
                    Serialize((SerializationBatch)command.Subject!);
                    break;
                case LaneCommandKind.SendWrite:
                    Acknowledge((WriteRequest)command.Subject!);
                    break;
                case LaneCommandKind.Release:
                    for (var message = (Message?)command.Subject; message is not null; message = message.Next)
                        Released++;
                    break;
                case LaneCommandKind.CompleteFill:
                    var request = (FillCall)command.Subject!;
                    request.TryComplete(null);
                    break;
                default:
                    throw new NotSupportedException();
            }
        }

        var any = _commands.Count > 0;
        _commands.Clear();
        return any;
    }

    private void Serialize(SerializationBatch batch)
    {
        for (var i = 0; i < batch.Count; i++)
            batch[i].Write(SubKey.Root).Write(_value);
        batch.End();
        _room.Serialized(batch, null, _now);
    }

    private void Acknowledge(WriteRequest request)
    {
        for (var i = 0; i < request.Count; i++)
            request.Batch.SetOutcome(i, new WriteOutcome(WriteOutcomeKind.Committed));
        _core.WriteAnswered(request, _now);
    }
}
