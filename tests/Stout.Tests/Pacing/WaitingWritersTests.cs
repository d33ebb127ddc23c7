using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Tests.Pacing;

/// <summary>
/// Writers that wait for each answer, on a store that is slower after a pause, as real machines are: the default law must not take that for a queue.
/// </summary>
public sealed class WaitingWritersTests(ITestOutputHelper output) : ILaneIntake
{
    private const int Seconds = 20;

    [Theory]
    [InlineData(1, 0, 0.9)]
    [InlineData(1, 5, 0.95)]
    [InlineData(4, 0, 0.85)]
    [InlineData(8, 5, 0.95)]
    public void Default_law_keeps_up_with_no_batching(int writers, double think, double share)
    {
        var (law, none) = (Run(new DelayLaw(new()), writers, think), Run(new NoBatchingLaw(new()), writers, think));
        output.WriteLine($"{writers} writers, {think} ms between writes: {law / Seconds}/s, without batching {none / Seconds}/s");
        Assert.True(law >= share * none, $"{law} writes, without batching {none}");
    }

    bool ILaneIntake.TryPost(in LaneInput input) => throw new NotSupportedException();

    ValueTask ILaneIntake.AdmitAsync(bool toChange, CancellationToken cancellationToken) => throw new NotSupportedException();

    void ILaneIntake.ReportCallbackError(Exception error) => throw new NotSupportedException();

    /// <summary>Runs the writers on virtual time.</summary>
    /// <returns>The number of durable writes.</returns>
    private int Run(IPacingLaw law, int writers, double think)
    {
        var random = new Random(1);
        var core = new LaneCore(key => new KeyHandle(this, key), new StoutOptions(), new InMemoryStore().Limits, law, Guid.NewGuid(), random);
        var events = new PriorityQueue<Action<TimeSpan>, TimeSpan>();
        var (durable, lastAnswer, busyUntil) = (0, TimeSpan.Zero, TimeSpan.Zero);
        for (var i = 0; i < writers; i++)
        {
            core.Fill(new FillCall(new PartitionKey($"{i}"), FillKind.Absent), TimeSpan.Zero);
            var handle = core.Commands[^1].Handle!;
            events.Enqueue(now => Write(handle, now), TimeSpan.FromMilliseconds(random.NextDouble()));
        }

        core.Commands.Clear();
        while (events.TryDequeue(out var next, out var now) && now < TimeSpan.FromSeconds(Seconds))
        {
            next(now);
            core.Advance(now);
            foreach (var command in core.Commands.ToArray())
                Execute(command, now);
            core.Commands.Clear();
            if (core.WakeAt is { } wake)
                events.Enqueue(static _ => { }, wake);
        }

        return durable;

        void Write(KeyHandle handle, TimeSpan now) =>
            core.Push(handle, new WrittenChange(new KeyChange().Set(SubKey.Root, new byte[100])), now);

        void Execute(LaneCommand command, TimeSpan now)
        {
            if (command.Kind == LaneCommandKind.SendWrite)
            {
                var request = (WriteRequest)command.Subject!;
                // After idle time, caches are cold and threads are asleep. Another program takes the processor from time to time.
                var coldness = 1 + (2 * Math.Min(1, (now - lastAnswer).TotalMilliseconds));
                if (random.Next(200) == 0)
                    busyUntil = now + TimeSpan.FromMilliseconds(random.Next(5, 20));
                var latency = (0.3 + (0.01 * request.Count)) * (0.8 + (0.4 * random.NextDouble())) * coldness * (now < busyUntil ? 3 : 1);
                events.Enqueue(at => Answer(request, at), now + TimeSpan.FromMilliseconds(latency));
            }
            else if (command.Kind == LaneCommandKind.Release)
            {
                for (var message = (Message?)command.Subject; message is not null; message = message.Next)
                {
                    durable++;
                    var handle = command.Handle!;
                    events.Enqueue(at => Write(handle, at), now + TimeSpan.FromMilliseconds((think * 2 * random.NextDouble()) + 0.02));
                }
            }
        }

        void Answer(WriteRequest request, TimeSpan at)
        {
            lastAnswer = at;
            for (var i = 0; i < request.Count; i++)
                request.Batch.SetOutcome(i, new WriteOutcome(WriteOutcomeKind.Committed));
            core.WriteAnswered(request, at);
        }
    }
}
