using FsCheck;
using FsCheck.Fluent;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Tests;

/// <summary>A request that one key stops is sent in halves until the key is found.</summary>
public sealed class KeySplitterTests
{
    private static readonly KeyTrouble Trouble = new(new StoreException(StoreErrorKind.Busy, "locked"), IsCertain: true);

    [Fact]
    public void Every_key_has_one_outcome_and_only_the_keys_with_trouble_have_that() => Check.One(
        Config.QuickThrowOnFailure,
        Prop.ForAll(ArbMap.Default.ArbFor<bool[]>().Filter(keys => keys.Length > 0), bad =>
        {
            var run = new Run(bad);
            run.Split(TimeSpan.MaxValue);
            return run.Outcomes.Order().SequenceEqual(Enumerable.Range(0, bad.Length).Select(i => (i, bad[i])));
        }));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(100)]
    [InlineData(2_048)]
    public void One_key_with_trouble_costs_two_requests_for_each_halving(int count)
    {
        for (var bad = 0; bad < count; bad += Math.Max(1, count / 16))
        {
            var run = new Run([.. Enumerable.Range(0, count).Select(i => i == bad)]);
            run.Split(TimeSpan.MaxValue);
            Assert.InRange(run.Sent.Count, 1, 1 + (2 * (int)Math.Ceiling(Math.Log2(count))));
        }
    }

    [Fact]
    public void Request_without_trouble_is_sent_once_and_may_wait_for_locks()
    {
        var run = new Run(new bool[100]);

        run.Split(TimeSpan.MaxValue);

        Assert.Equal([(100, LockWait.Short)], run.Sent);
    }

    [Fact]
    public void Halves_wait_for_no_lock_since_their_neighbors_wait_too()
    {
        var run = new Run([true, true, false, true, false]);

        run.Split(TimeSpan.MaxValue);

        Assert.Equal(LockWait.Short, run.Sent[0].Locks);
        Assert.All(run.Sent.Skip(1), sent => Assert.Equal(LockWait.None, sent.Locks));
    }

    [Fact]
    public void Halves_that_fail_when_the_budget_is_spent_are_settled_as_they_are()
    {
        var run = new Run([true, false, false, false, false, false, false, false]);

        run.Split(TimeSpan.Zero);

        Assert.Equal([8, 4, 4], run.Sent.Select(sent => sent.Count));
        Assert.Equal(Enumerable.Range(0, 8).Select(i => (i, i < 4)), run.Outcomes.Order());
    }

    [Fact]
    public void Key_that_stopped_a_request_before_goes_apart_from_its_neighbors_and_waits_for_no_lock()
    {
        var run = new Run([false, true, false, false], suspects: 1);

        run.Split(TimeSpan.MaxValue);

        Assert.Equal([(3, LockWait.Short), (1, LockWait.None)], run.Sent);
        Assert.Equal([(0, false), (1, true), (2, false), (3, false)], run.Outcomes.Order());
    }

    /// <summary>A store whose requests fail if they have a bad key.</summary>
    private sealed class Run(bool[] bad, params int[] suspects)
    {
        public List<(int Count, LockWait Locks)> Sent { get; } = [];

        public List<(int Key, bool IsTrouble)> Outcomes { get; } = [];

        public void Split(TimeSpan budget)
        {
            using var keys = new KeyOrder(bad.Length);
            for (var i = 0; i < bad.Length; i++)
                keys.Add(i, new PartitionKey($"{i}"), suspects.Contains(i));
            keys.Sort();
            var split = KeySplitter.RunAsync(keys, budget, Send, (some, _) => Settle(some, isTrouble: true));
            Assert.True(split.IsCompletedSuccessfully);
        }

        private ValueTask<KeyTrouble?> Send(KeyRange keys, LockWait locks)
        {
            Sent.Add((keys.Count, locks));
            if (Enumerable.Range(0, keys.Count).Any(place => bad[keys.IndexAt(place)]))
                return new(Trouble);
            Settle(keys, isTrouble: false);
            return default;
        }

        private void Settle(KeyRange keys, bool isTrouble)
        {
            for (var place = 0; place < keys.Count; place++)
                Outcomes.Add((keys.IndexAt(place), isTrouble));
        }
    }
}
