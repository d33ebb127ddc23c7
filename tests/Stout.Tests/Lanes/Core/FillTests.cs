using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>Fills, and the state of a handle after a failure.</summary>
public sealed class FillTests
{
    private static readonly Stamp Stored = new(0, Guid.NewGuid(), 7);

    private readonly CoreDriver _lane = new();

    [Fact]
    public async Task However_many_ask_there_is_one_read_and_one_callback()
    {
        var callers = Enumerable.Range(0, 5).Select(_ => _lane.Fill("a")).ToList();
        _lane.Pass();
        Assert.Equal(1, Assert.Single(_lane.Reads).Batch.Count);
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(Stored, []));
        callers.Add(_lane.Fill("a"));
        _lane.EndDeserialize(Assert.Single(_lane.Deserializing));
        callers.Add(_lane.Fill("a"));
        _lane.Pass();

        Assert.Single((await Task.WhenAll(callers.Select(c => CoreDriver.Over(c)))).Distinct());
        Assert.Empty(_lane.Reads);
    }

    [Fact]
    public void A_filled_key_writes_on_top_of_what_was_read()
    {
        var handle = _lane.Filled("a", Stored);

        Assert.Equal(Stored, _lane.SendChange(handle).Batch[0].Expected);
    }

    [Fact]
    public async Task A_key_dirty_or_in_flight_is_never_read_without_a_new_claim()
    {
        var handle = _lane.Open("a");
        _lane.Mark(handle);
        Assert.Same(handle, await CoreDriver.Over(_lane.Fill("a")));
        _lane.Pass();
        _lane.SerializeAll();
        Assert.Same(handle, await CoreDriver.Over(_lane.Fill("a")));
        _lane.Pass();

        Assert.Empty(_lane.Reads);
    }

    [Fact]
    public async Task An_ended_fill_keeps_neither_bytes_nor_results_alive()
    {
        var call = _lane.Fill("a");
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(Stored, [new StoredPart(SubKey.Root, new byte[1])]));
        var fill = _lane.Deserializing[0];
        _lane.EndDeserialize(fill, null);

        Assert.IsType<OpenedKey.Read>(await CoreDriver.Over(call.Task));
        Assert.Empty(fill.Waiters);
        Assert.Empty(fill.Outcome.Parts);
    }

    [Fact]
    public async Task No_fill_joins_a_read_begun_before_a_failure()
    {
        var first = _lane.Fill("a");
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(Stored, []));
        _lane.EndDeserialize(_lane.Deserializing[0], new FormatException());
        Assert.IsType<FormatException>((await Assert.ThrowsAsync<FillFailedException>(() => CoreDriver.Over(first))).InnerException);

        _lane.Fill("a");
        _lane.Pass();

        Assert.Single(_lane.Reads);
    }

    [Fact]
    public void A_failed_key_stays_failed_until_it_is_filled_and_its_old_handle_stays_dead()
    {
        var old = _lane.Open("a");
        _lane.Answer(_lane.SendChange(old), WriteOutcomeKind.Conflict);
        var after = _lane.Change(old);
        _lane.Pass();
        Assert.IsType<ConflictException>(after.FailedWith<HandleClosedException>().InnerException);

        var current = _lane.Filled("a", Stored);
        var late = _lane.Change(old);
        _lane.Pass();

        Assert.NotSame(old, current);
        Assert.IsType<ConflictException>(late.FailedWith<HandleClosedException>().InnerException);
        Assert.Empty(_lane.Callbacks);
    }

    [Fact]
    public async Task A_read_is_tried_again_but_not_for_ever()
    {
        _lane.Pass(40_000);
        var request = _lane.Fill("a");
        _lane.Pass();
        while (!request.Task.IsCompleted && _lane.Now < TimeSpan.FromMinutes(2))
        {
            if (_lane.Reads.Count > 0)
                _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Of(new StoreException(StoreErrorKind.Unreachable, "down")));
            else
                _lane.PassToWake();
        }

        Assert.InRange(_lane.Now, TimeSpan.FromSeconds(70), TimeSpan.FromSeconds(72));
        await Assert.ThrowsAsync<FillFailedException>(() => CoreDriver.Over(request));
    }

    [Fact]
    public async Task A_read_without_an_answer_is_repeated_and_its_late_answer_harmless()
    {
        var request = _lane.Fill("a");
        _lane.Pass();
        _lane.PassAsALane(15_100);
        var late = _lane.Reads[0];
        _lane.Answer(_lane.Reads[1], _ => ReadOutcome.Found(Stored, []));
        _lane.Answer(late, _ => ReadOutcome.NotFound(Stamp.Absent));
        _lane.EndDeserialize(Assert.Single(_lane.Deserializing));

        Assert.Equal(Stored, (await CoreDriver.Over(request)).Stored);
    }

    [Fact]
    public async Task A_deserialize_callback_that_hangs_fails_its_fill_and_its_late_end_is_harmless()
    {
        var request = _lane.Fill("a");
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.NotFound(Stamp.Absent));
        _lane.PassAsALane(30_000);
        await Assert.ThrowsAsync<FillFailedException>(() => CoreDriver.Over(request));

        _lane.EndDeserialize(_lane.Deserializing[0]);

        Assert.Equal(0, _lane.Core.GetStatistics().OpenKeys);
    }

    [Fact]
    public void Outcomes_of_a_read_that_was_given_up_are_not_looked_at()
    {
        _lane.Fill("a");
        _lane.Pass();
        _lane.Reads[0].Batch.SetOutcome(0, ReadOutcome.Found(Stored, []));
        _lane.PassAsALane(15_100);

        Assert.Empty(_lane.Deserializing);
        Assert.Equal(2, _lane.Reads.Count);
    }

    [Theory]
    [InlineData(StoreErrorKind.Refused)]
    [InlineData(StoreErrorKind.Unreachable)]
    [InlineData(StoreErrorKind.Unknown)]
    public async Task Who_can_not_read_tells_what_the_store_said(StoreErrorKind kind)
    {
        var lane = new CoreDriver(new StoutOptions { UnreachableTimeout = TimeSpan.Zero });
        var request = lane.Fill("a");
        lane.Pass();
        var said = new StoreException(kind, "said");
        lane.Answer(lane.Reads[0], _ => ReadOutcome.Of(said));

        Assert.Same(said, (await Assert.ThrowsAsync<FillFailedException>(() => CoreDriver.Over(request))).InnerException);
    }

    [Fact]
    public async Task A_proxy_that_says_nothing_of_a_read_has_given_no_answer()
    {
        var lane = new CoreDriver(new StoutOptions { UnreachableTimeout = TimeSpan.Zero });
        var request = lane.Fill("a");
        lane.Pass();
        lane.Answer(lane.Reads[0], _ => default);

        var failure = await Assert.ThrowsAsync<FillFailedException>(() => CoreDriver.Over(request));
        Assert.Equal(StoreErrorKind.Unknown, Assert.IsType<StoreException>(failure.InnerException).Kind);
    }

    [Fact]
    public async Task A_read_waits_for_an_overloaded_store_as_long_as_the_options_say_and_no_longer()
    {
        var request = _lane.Fill("a");
        _lane.Pass();
        while (_lane.Now < TimeSpan.FromSeconds(29))
        {
            _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Of(new StoreException(StoreErrorKind.Overloaded, "busy")));
            _lane.PassToWake();
        }

        Assert.False(request.Task.IsCompleted);
        while (_lane.Now < TimeSpan.FromSeconds(30))
        {
            _lane.PassToWake();
            if (_lane.Reads.Count > 0)
                _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Of(new StoreException(StoreErrorKind.Overloaded, "busy")));
        }

        await Assert.ThrowsAsync<FillFailedException>(() => CoreDriver.Over(request));
    }

    [Fact]
    public void Reads_that_all_callers_have_given_up_are_let_go()
    {
        var lane = new CoreDriver();
        lane.Law.MaxInFlight = 1;
        lane.Fill("under way");
        lane.Pass();
        var patient = lane.Fill("patient");
        for (var i = 0; i < 20_000; i++)
            lane.Cancel(lane.Fill($"key {i}"));
        Assert.InRange(lane.Core.GetStatistics().OpenKeys, 2, 2050);

        lane.Answer(lane.Reads[0], _ => ReadOutcome.NotFound(Stamp.Absent));
        lane.Pass();
        Assert.Equal("patient", Assert.Single(Enumerable.Range(0, lane.Reads[0].Batch.Count).Select(i => lane.Reads[0].Batch[i].Key.Text)));
        lane.Answer(lane.Reads[0], _ => ReadOutcome.NotFound(Stamp.Absent));
        lane.Deserializing.ToList().ForEach(fill => lane.EndDeserialize(fill));
        Assert.True(patient.Task.IsCompletedSuccessfully);
        Assert.Equal(2, lane.Core.GetStatistics().OpenKeys);
    }

    [Fact]
    public async Task A_caller_does_not_join_a_fill_that_all_others_have_given_up()
    {
        var gone = _lane.Fill("a");
        _lane.Pass();
        _lane.Cancel(gone);
        var next = _lane.Fill("a");
        _lane.Pass();
        Assert.Equal(2, _lane.Reads.Count);
        var (first, second) = (_lane.Reads[0], _lane.Reads[1]);
        _lane.Answer(first, _ => ReadOutcome.Found(Stored, []));
        Assert.Empty(_lane.Deserializing);
        _lane.Answer(second, _ => ReadOutcome.Found(Stored, []));
        _lane.EndDeserialize(Assert.Single(_lane.Deserializing));

        Assert.False((await CoreDriver.Over(next)).IsClosed);
    }

    [Fact]
    public void The_handle_of_a_fill_that_all_callers_have_given_up_is_closed()
    {
        var gone = _lane.Fill("a");
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(Stored, []));
        _lane.Cancel(gone);
        var fill = _lane.Deserializing[0];
        _lane.EndDeserialize(fill);

        Assert.True(fill.Handle.IsClosed);
        Assert.Equal(0, _lane.Core.GetStatistics().OpenKeys);
    }

    [Fact]
    public void Callers_of_one_fill_that_have_gone_are_let_go()
    {
        _lane.Fill("a");
        _lane.Pass();
        var fill = _lane.Reads[0].Fills[0];
        for (var i = 0; i < 10_000; i++)
            _lane.Cancel(_lane.Fill("a"));

        Assert.InRange(fill.Waiters.Count, 1, 128);
    }

    [Fact]
    public async Task A_handle_closes_only_while_nothing_of_it_is_undurable()
    {
        var handle = _lane.Open("a");
        _lane.Mark(handle);
        Assert.False(await TryClose(handle));
        _lane.Pass();
        _lane.SerializeAll();
        Assert.False(await TryClose(handle));

        _lane.Answer(_lane.Writes[0]);
        Assert.True(await TryClose(handle));
        Assert.Equal(0, _lane.Core.GetStatistics().OpenKeys);
        Assert.True(await TryClose(handle));
    }

    [Fact]
    public void A_key_that_exists_stays_open_however_long_the_store_keeps_deleted_ones()
    {
        var lane = new CoreDriver(limits: CoreDriver.Limits with { DeletedHeaderRetention = TimeSpan.FromHours(1) });
        var (existing, absent) = (lane.Filled("existing", Stored), lane.Filled("absent", Stamp.Absent, exists: false));
        lane.PassAsALane(3_600_000);
        lane.Pass();

        Assert.False(existing.IsClosed || absent.IsClosed);
    }

    private Task<bool> TryClose(KeyHandle handle)
    {
        var waiter = new TaskCompletionSource<bool>();
        _lane.Core.TryClose(handle, waiter);
        _lane.Pass();
        return CoreDriver.Over(waiter.Task);
    }
}
