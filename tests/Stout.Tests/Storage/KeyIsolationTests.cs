using FsCheck;
using FsCheck.Fluent;
using Stout.Storage;

namespace Stout.Tests.Storage;

/// <summary>A request that one key stops is sent in halves until the key is found.</summary>
public sealed class KeyIsolationTests
{
    private const WriteOutcomeKind Good = WriteOutcomeKind.Committed;
    private const WriteOutcomeKind Bad = WriteOutcomeKind.Refused;

    [Fact]
    public void Every_key_has_one_outcome_and_only_the_keys_at_fault_fail() => Check.One(
        Config.QuickThrowOnFailure,
        Prop.ForAll(ArbMap.Default.ArbFor<bool[]>().Filter(keys => keys.Length > 0), bad =>
        {
            var run = new Run(bad);
            run.Send();
            return run.Outcomes.SequenceEqual(bad.Select(isBad => isBad ? Bad : Good));
        }));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(100)]
    [InlineData(2_048)]
    public void One_key_at_fault_costs_two_requests_for_each_halving(int count)
    {
        for (var bad = 0; bad < count; bad += Math.Max(1, count / 16))
        {
            var run = new Run(count, bad);
            run.Send();
            Assert.InRange(run.Sent.Count, 1, 1 + (2 * (int)Math.Ceiling(Math.Log2(count))));
        }
    }

    [Fact]
    public void Request_without_trouble_is_sent_once_and_may_wait_for_locks()
    {
        var run = new Run(100);

        run.Send();

        Assert.Equal([(100, true)], run.Sent);
    }

    [Fact]
    public void Halves_wait_for_no_lock_since_their_neighbors_wait_too()
    {
        var run = new Run(5, 0, 1, 3);

        run.Send();

        Assert.True(run.Sent[0].IsPatient);
        Assert.All(run.Sent.Skip(1), sent => Assert.False(sent.IsPatient));
    }

    [Fact]
    public void Error_of_an_attempt_with_all_keys_spares_that_attempt()
    {
        var run = new Run(8, 2);

        run.Send(new StoreException(StoreErrorKind.Refused, "refused"));

        Assert.Equal([4, 2, 2, 1, 1, 4], run.Sent.Select(sent => sent.Count));
        Assert.Equal(Enumerable.Range(0, 8).Select(i => i == 2 ? Bad : Good), run.Outcomes);
    }

    [Theory]
    [InlineData(StoreErrorKind.Busy, WriteOutcomeKind.Busy)]
    [InlineData(StoreErrorKind.Refused, WriteOutcomeKind.Unknown)]
    public void Keys_that_share_a_failing_request_when_the_budget_is_spent_are_told_what_holds_for_all(StoreErrorKind kind, WriteOutcomeKind outcome)
    {
        var run = new Run(8, 0) { Kind = kind, Budget = TimeSpan.Zero };

        run.Send();

        Assert.Single(run.Sent);
        Assert.All(run.Outcomes, told => Assert.Equal(outcome, told));
    }

    [Fact]
    public void Key_that_failed_alone_goes_apart_from_its_neighbors_and_waits_for_no_lock_until_it_passes()
    {
        var run = new Run(4, 1);
        run.Send();
        run.Sent.Clear();

        run.Send();
        Assert.Equal([(3, true), (1, false)], run.Sent);
        Assert.Equal([Good, Bad, Good, Good], run.Outcomes);

        run.Bad[1] = false;
        run.Send();
        run.Sent.Clear();
        run.Send();
        Assert.Equal([(4, true)], run.Sent);
    }

    [Fact]
    public void Lock_that_every_key_meets_is_overload_of_the_store_and_is_found_out_soon()
    {
        var run = new Run([.. Enumerable.Repeat(true, 1_024)]) { Kind = StoreErrorKind.Busy };

        var error = Assert.Throws<StoreException>(() => run.Send());

        Assert.Equal(StoreErrorKind.Overloaded, error.Kind);
        Assert.InRange(run.Sent.Count, 1, 40);
    }

    [Fact]
    public void Error_of_the_whole_store_that_one_key_alone_meets_is_a_busy_key()
    {
        var run = new Run(8, 5) { Kind = StoreErrorKind.Overloaded };

        run.Send();

        Assert.Equal(Enumerable.Range(0, 8).Select(i => i == 5 ? WriteOutcomeKind.Busy : Good), run.Outcomes);
    }

    [Fact]
    public void Uncertain_error_leaves_its_key_unknown()
    {
        var run = new Run(8, 5) { Kind = StoreErrorKind.Unknown };

        run.Send();

        Assert.Equal(Enumerable.Range(0, 8).Select(i => i == 5 ? WriteOutcomeKind.Unknown : Good), run.Outcomes);
    }

    /// <summary>A store whose requests fail if they have a bad key.</summary>
    private sealed class Run(bool[] bad)
    {
        private readonly SuspectKeys _suspects = new();
        private WriteBatch _batch = new();

        public Run(int count, params int[] bad)
            : this([.. Enumerable.Range(0, count).Select(bad.Contains)])
        {
        }

        public bool[] Bad => bad;

        public StoreErrorKind Kind { get; init; } = StoreErrorKind.Refused;

        public TimeSpan Budget { get; init; } = TimeSpan.MaxValue;

        public List<(int Count, bool IsPatient)> Sent { get; } = [];

        public IEnumerable<WriteOutcomeKind> Outcomes => Enumerable.Range(0, bad.Length).Select(i => _batch.OutcomeOf(i).Kind);

        public void Send(StoreException? refused = null)
        {
            _batch = new WriteBatch();
            for (var i = 0; i < bad.Length; i++)
                _batch.Add(new KeyWrite(new PartitionKey($"{i}"), KeyWriteKind.Merge, default, null, default), []);
            var run = new WriteIsolation(_batch, _suspects, Budget, Answer).RunAsync(refused, CancellationToken.None).AsTask();
            Assert.True(run.IsCompleted);
            run.GetAwaiter().GetResult();
        }

        private ValueTask<StoreException?> Answer(IReadOnlyList<int> indexes, bool isPatient, CancellationToken cancellationToken)
        {
            Sent.Add((indexes.Count, isPatient));
            if (indexes.Any(index => bad[index]))
                return new(new StoreException(Kind, "at fault"));
            foreach (var index in indexes)
                _batch.SetOutcome(index, new WriteOutcome(WriteOutcomeKind.Committed));
            return default;
        }
    }
}
