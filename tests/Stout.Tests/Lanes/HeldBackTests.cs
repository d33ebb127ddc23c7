using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Pacing;
using Stout.Paper;
using Stout.Storage;

namespace Stout.Tests.Lanes;

public sealed class HeldBackTests : ILaneIntake
{
    [Fact]
    public void What_was_serialized_while_the_store_was_in_trouble_leaves_when_the_trouble_is_over()
    {
        var options = new StoutOptions();
        var room = new PaperRoom(options);
        var core = new LaneCore(
            key => new KeyHandle(this, key), options, new InMemoryStore().Limits, new NoBatchingLaw(new NoBatchingLawParameters()), Guid.NewGuid(), new Random(1), client: room);
        var now = TimeSpan.FromSeconds(1);
        var first = BeginToSerialize("first");
        var second = BeginToSerialize("second");

        Complete(first);
        var request = (WriteRequest)Assert.Single(Take(LaneCommandKind.SendWrite));
        request.Batch.SetOutcome(0, new WriteOutcome(WriteOutcomeKind.Overloaded));
        core.WriteAnswered(request, now);
        Complete(second);
        Assert.Empty(Take(LaneCommandKind.SendWrite));

        Assert.NotNull(core.WakeAt);
        now = core.WakeAt.Value;
        core.Advance(now);
        Assert.Single(Take(LaneCommandKind.SendWrite));

        SerializationBatch BeginToSerialize(string key)
        {
            core.Fill(new FillCall(new PartitionKey(key), FillKind.Absent), now);
            var handle = Assert.Single(core.Commands, command => command.Kind == LaneCommandKind.CompleteFill).Handle!;
            core.Commands.Clear();
            room.MarkDirty(handle, SubKey.Root, now);
            core.Advance(now);
            return (SerializationBatch)Assert.Single(Take(LaneCommandKind.CallClient));
        }

        void Complete(SerializationBatch batch)
        {
            batch[0].Write(SubKey.Root);
            batch.End();
            room.Serialized(batch, null, now);
            core.Advance(now);
        }

        List<object> Take(LaneCommandKind kind)
        {
            var taken = core.Commands.Where(command => command.Kind == kind).Select(command => command.Subject!).ToList();
            core.Commands.Clear();
            return taken;
        }
    }

    bool ILaneIntake.TryPost(in LaneInput input) => true;

    ValueTask ILaneIntake.AdmitAsync(bool toChange, CancellationToken cancellationToken) => default;

    void ILaneIntake.ReportCallbackError(Exception error)
    {
    }
}
