using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>One key that the store does not answer holds up no other.</summary>
public sealed class HangingKeyTests
{
    private readonly CoreDriver _lane = new();

    [Fact]
    public void A_request_that_hangs_does_not_keep_the_only_place_in_flight()
    {
        _lane.Law.MaxInFlight = 1;
        var hanging = _lane.SendChange(_lane.Open("locked"));
        var other = _lane.Change(_lane.Open("other"));
        _lane.Pass();
        _lane.PassAsALane(1874);
        Assert.Empty(_lane.Callbacks);
        _lane.PassAsALane(1);
        _lane.SerializeAll();
        _lane.Answer(Assert.Single(_lane.Writes, write => write != hanging));

        Assert.True(other.IsSafe);
    }

    [Fact]
    public void Keys_that_timed_out_with_a_locked_one_are_repeated_alone_and_others_flow_meanwhile()
    {
        var messages = Enumerable.Range(0, 60).Select(i => _lane.Change(_lane.Open($"key {i}"))).ToArray();
        _lane.Law.MaxInFlight = 1;
        Serve(15_000);
        var late = new List<TestMessage>();
        for (var i = 0; i < 10; i++)
        {
            late.Add(_lane.Change(_lane.Open($"late {i}")));
            Serve(1_000);
        }

        Assert.All(messages[1..], message => Assert.True(message.IsSafe));
        Assert.All(late, message => Assert.True(message.IsSafe));
        Assert.False(messages[0].IsReleased);
        Assert.False(_lane.Core.GetStatistics().StoreFailing);
    }

    [Fact]
    public void A_time_out_of_one_request_does_not_hold_the_lane_back_while_others_are_answered()
    {
        _lane.SendChange(_lane.Open("key 0"));
        Serve(14_000);
        var before = _lane.Change(_lane.Open("before"));
        Serve(1_000);
        Assert.True(before.IsSafe);
        _lane.Mark(_lane.Open("after"));
        _lane.Pass();

        Assert.Single(_lane.Callbacks);
        Assert.False(_lane.Core.GetStatistics().StoreFailing);
    }

    [Fact]
    public async Task Reads_that_timed_out_with_a_hanging_one_are_repeated_alone()
    {
        _lane.Law.MaxInFlight = 2;
        var fills = Enumerable.Range(0, 60).Select(i => _lane.Fill($"key {i}")).ToArray();
        Serve(15_000);
        Serve(3_000);
        Assert.False(fills[0].Task.IsCompleted);
        Assert.All(fills[1..], fill => Assert.True(fill.Task.IsCompletedSuccessfully));
        Serve(15_000);

        await Assert.ThrowsAsync<FillFailedException>(() => CoreDriver.Over(fills[0]));
    }

    [Fact]
    public void Reads_that_are_too_large_together_are_halved_and_all_come()
    {
        var fills = Enumerable.Range(0, 64).Select(i => _lane.Fill($"key {i}")).ToArray();
        _lane.Pass();
        var sizes = new List<int>();
        for (var i = 0; i < 200 && fills.Any(fill => !fill.Task.IsCompleted); i++)
        {
            foreach (var read in _lane.Reads.ToArray())
            {
                sizes.Add(read.Batch.Count);
                _lane.Answer(read, _ => read.Batch.Count > 5 ? ReadOutcome.Of(new TimeoutException()) : ReadOutcome.NotFound(Stamp.Absent));
            }

            foreach (var fill in _lane.Deserializing.ToArray())
                _lane.EndDeserialize(fill);
            _lane.PassAsALane(100);
        }

        Assert.All(fills, fill => Assert.True(fill.Task.IsCompletedSuccessfully));
        Assert.InRange(sizes.Count(size => size > 5), 1, 4);
    }

    [Theory]
    [InlineData(WriteOutcomeKind.Overloaded)]
    [InlineData(WriteOutcomeKind.Unknown)]
    [InlineData(WriteOutcomeKind.LimitExceeded)]
    public void Writes_that_are_too_large_together_are_halved_for_every_law_and_all_come(WriteOutcomeKind refusal)
    {
        var lane = new CoreDriver(limits: CoreDriver.Limits with { MaxBatchKeys = 100_000, MaxBatchBytes = 10_000_000 });
        var messages = Enumerable.Range(0, 20_000).Select(i => lane.Change(lane.Open($"key {i}"))).ToArray();
        for (var i = 0; i < 2000 && messages.Any(message => !message.IsReleased); i++)
        {
            lane.Pass();
            lane.PassAsALane(20);
            lane.SerializeAll(bytes: 1);
            foreach (var write in lane.Writes.ToArray())
                lane.Answer(write, write.Count > 1000 ? refusal : WriteOutcomeKind.Committed);
        }

        Assert.All(messages, message => Assert.True(message.IsSafe));
        Assert.InRange(lane.Now.TotalSeconds, 0, 15);
    }

    [Fact]
    public void Reads_under_way_keep_within_the_bound_on_bytes()
    {
        var lane = new CoreDriver(new StoutOptions { MaxUndurableBytes = 1000 });
        var fills = Enumerable.Range(0, 50).Select(i => lane.Fill($"key {i}")).ToArray();
        lane.Pass();
        Read(lane);
        var most = 0;
        for (var i = 0; i < 200 && fills.Any(fill => !fill.Task.IsCompleted); i++)
        {
            most = Math.Max(most, lane.Deserializing.Count + lane.Reads.Sum(read => read.Batch.Count));
            lane.EndDeserialize(lane.Deserializing[0]);
            Read(lane);
        }

        Assert.All(fills, fill => Assert.True(fill.Task.IsCompletedSuccessfully));
        Assert.InRange(most, 2, 50);
        var later = Enumerable.Range(0, 20).Select(i => lane.Fill($"later {i}")).ToArray();
        lane.Pass();
        Assert.Equal(2, lane.Reads.Sum(read => read.Batch.Count));

        static void Read(CoreDriver lane)
        {
            foreach (var read in lane.Reads.ToArray())
                lane.Answer(read, _ => ReadOutcome.Found(new Stamp(0, Guid.NewGuid(), 1), [new StoredPart(SubKey.Root, new byte[400])]));
        }
    }

    /// <summary>Lets time pass with a store that answers every request except those that contain "key 0".</summary>
    private void Serve(double milliseconds)
    {
        var end = _lane.Now + TimeSpan.FromMilliseconds(milliseconds);
        while (_lane.Now < end)
        {
            _lane.Pass();
            _lane.PassAsALane(20);
            _lane.SerializeAll();
            foreach (var write in _lane.Writes.Where(write => !Enumerable.Range(0, write.Count).Any(i => write.Batch[i].Key.Text == "key 0")).ToArray())
                _lane.Answer(write);
            foreach (var read in _lane.Reads.Where(read => !Enumerable.Range(0, read.Batch.Count).Any(i => read.Batch[i].Key.Text == "key 0")).ToArray())
                _lane.Answer(read, _ => ReadOutcome.NotFound(Stamp.Absent));
            foreach (var fill in _lane.Deserializing.ToArray())
                _lane.EndDeserialize(fill);
        }
    }
}
