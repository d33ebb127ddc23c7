using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>Claims, refreshes and take-overs: which owner a handle has, and which handle is fenced.</summary>
public sealed class ClaimTests
{
    private static readonly Stamp Stored = new(0, Guid.NewGuid(), 7);
    private static readonly KeyOwner Other = new(4, Guid.NewGuid());

    private readonly CoreDriver _lane = new();

    [Fact]
    public void Writes_name_the_owner_that_the_claim_has_made()
    {
        var handle = _lane.Claimed("a", epoch: 5);

        var write = _lane.SendChange(handle).Batch[0];

        Assert.Equal((5, handle.Owner, Stamp.Absent, 5), (handle.Epoch, write.Owner, write.Expected, write.Next.Epoch));
        Assert.True(handle.Owner.IsClaimed);
    }

    [Fact]
    public void Write_that_another_owner_fences_tells_the_epoch_that_the_store_holds()
    {
        var handle = _lane.Claimed("a");
        var change = _lane.Change(handle);
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Writes[0].Batch.SetOutcome(0, WriteOutcome.FencedBy(Other));
        _lane.Answered(_lane.Writes[0]);

        Assert.Equal(4, change.FailedWith<FencedException>().StoredEpoch);
        Assert.True(handle.IsClosed);
    }

    [Fact]
    public void Claim_of_an_open_key_fences_what_is_dirty_and_leaves_open_what_is_in_flight()
    {
        var dirty = _lane.Claimed("dirty");
        var sent = _lane.Open("sent");
        var ofSent = _lane.Change(sent);
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Law.MaxInFlight = 1;
        var ofDirty = _lane.Change(dirty);

        _lane.Claim("dirty");
        _lane.Claim("sent");
        _lane.Pass();

        ofDirty.FailedWith<FencedException>();
        Assert.IsType<FencedException>(ofSent.FailedWith<OutcomeUnknownException>().InnerException);
        Assert.True(dirty.IsClosed && sent.IsClosed);
        Assert.All(Enumerable.Range(0, 2), i => Assert.Equal(KeyReadKind.Claim, _lane.Reads[0].Batch[i].Kind));
    }

    [Fact]
    public async Task No_fill_joins_a_read_begun_before_a_claim()
    {
        var old = _lane.Fill("a");
        _lane.Pass();
        var early = Assert.Single(_lane.Reads);
        var current = _lane.Claim("a");
        _lane.Pass();
        Assert.Equal(2, _lane.Reads.Count);
        await Assert.ThrowsAsync<FencedException>(() => CoreDriver.Over(old));

        _lane.Answer(early, _ => ReadOutcome.Found(Stored, []));
        Assert.Empty(_lane.Deserializing);
        _lane.Answer(_lane.Reads[0], read => ReadOutcome.NotFound(Stamp.Absent, owner: new KeyOwner(1, read.Claim!.Id)));
        _lane.EndDeserialize(_lane.Deserializing[0]);

        var handle = await CoreDriver.Over(current);
        Assert.Equal((Stamp.Absent, 1), (handle.Stored, handle.Epoch));
    }

    [Fact]
    public async Task Later_claim_of_one_client_fences_the_earlier_one_that_is_under_way()
    {
        var (first, second) = (_lane.Claim("a"), _lane.Claim("a"));
        _lane.Pass();

        await Assert.ThrowsAsync<FencedException>(() => CoreDriver.Over(first));
        Assert.Equal(second.Claim, Assert.Single(_lane.Reads).Batch[0].Claim);
    }

    [Fact]
    public async Task Fill_of_a_key_that_this_client_has_claimed_finds_the_handle()
    {
        var handle = _lane.Claimed("a");

        Assert.Same(handle, await CoreDriver.Over(_lane.Fill("a")));
    }

    [Fact]
    public async Task Fill_without_a_claim_of_a_claimed_key_is_fenced_and_tells_the_epoch()
    {
        var request = _lane.Fill("a");
        _lane.Pass();
        Assert.Equal(new KeyRead(new PartitionKey("a")), _lane.Reads[0].Batch[0] with { Bounds = null });
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(Stored, [], owner: Other));

        Assert.Equal(4, (await Assert.ThrowsAsync<FencedException>(() => CoreDriver.Over(request))).StoredEpoch);
        Assert.Empty(_lane.Deserializing);
    }

    [Fact]
    public void Fill_of_a_key_whose_claim_was_reset_writes_under_its_epoch()
    {
        _lane.Fill("a");
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(Stored, [], owner: new KeyOwner(9)));
        var fill = _lane.Deserializing[0];
        _lane.EndDeserialize(fill);

        Assert.Equal(new KeyOwner(9), _lane.SendChange(fill.Handle).Batch[0].Owner);
    }

    [Fact]
    public async Task Claim_that_the_store_fences_fails_and_the_next_one_reads()
    {
        var request = _lane.Claim("a");
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.FencedBy(new KeyHeader(Stored, Other)));

        Assert.Equal(4, (await Assert.ThrowsAsync<FencedException>(() => CoreDriver.Over(request))).StoredEpoch);
        Assert.Equal(5, _lane.Claimed("a", epoch: 5).Epoch);
    }

    [Fact]
    public void Claim_without_an_answer_is_repeated_with_the_same_id()
    {
        var request = _lane.Claim("a");
        _lane.Pass();
        _lane.PassAsALane(15_100);

        Assert.Equal([request.Claim, request.Claim], _lane.Reads.Select(read => read.Batch[0].Claim));
    }

    [Fact]
    public async Task Claim_that_waits_for_another_attempt_is_passed_over_when_a_later_one_comes()
    {
        var old = _lane.Claim("a");
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Of(new StoreException(StoreErrorKind.Overloaded, "busy")));
        var current = _lane.Claim("a");
        _lane.PassToWake();

        await Assert.ThrowsAsync<FencedException>(() => CoreDriver.Over(old));
        Assert.Equal(current.Claim, Assert.Single(Enumerable.Range(0, Assert.Single(_lane.Reads).Batch.Count).Select(i => _lane.Reads[0].Batch[i].Claim)));
    }

    [Fact]
    public async Task Refresh_of_a_clean_handle_reads_under_the_same_owner_and_closes_the_old_handle()
    {
        var old = _lane.Claimed("a");
        var request = Refresh(old);
        var joined = Refresh(old);
        _lane.Pass();
        Assert.Equal(KeyReadKind.Peek, Assert.Single(_lane.Reads).Batch[0].Kind);
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(Stored, [], owner: old.Owner));
        _lane.EndDeserialize(_lane.Deserializing[0]);

        var handle = await CoreDriver.Over(request);
        Assert.Same(handle, await CoreDriver.Over(joined));
        Assert.Equal((old.Owner, Stored), (handle.Owner, handle.Version));
        Assert.True(old.IsClosed && !handle.IsClosed);
    }

    [Fact]
    public async Task Refresh_of_a_handle_with_changes_under_way_reads_nothing()
    {
        var handle = _lane.Claimed("a");
        _lane.Mark(handle);

        Assert.Same(handle, await CoreDriver.Over(Refresh(handle)));
        _lane.Pass();
        Assert.Empty(_lane.Reads);
    }

    [Fact]
    public async Task Refresh_after_a_failure_works_while_the_store_has_the_owner_and_is_fenced_afterwards()
    {
        var handle = _lane.Claimed("a");
        _lane.Answer(_lane.SendChange(handle), WriteOutcomeKind.Refused);
        var request = Refresh(handle);
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.NotFound(Stamp.Absent, owner: handle.Owner));
        _lane.EndDeserialize(_lane.Deserializing[0]);
        Assert.Equal(handle.Owner, (await CoreDriver.Over(request)).Owner);

        request = Refresh(handle);
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.NotFound(Stamp.Absent, owner: Other));

        Assert.Equal(4, (await Assert.ThrowsAsync<FencedException>(() => CoreDriver.Over(request))).StoredEpoch);
    }

    [Fact]
    public async Task Refresh_of_a_handle_whose_key_this_client_has_claimed_since_is_fenced()
    {
        var old = _lane.Claimed("a");
        var underWay = _lane.Claim("a");
        Assert.Null((await Assert.ThrowsAsync<FencedException>(() => CoreDriver.Over(Refresh(old)))).StoredEpoch);
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], read => ReadOutcome.NotFound(Stamp.Absent, owner: new KeyOwner(2, read.Claim!.Id)));
        _lane.EndDeserialize(_lane.Deserializing[0]);

        Assert.Equal(2, (await Assert.ThrowsAsync<FencedException>(() => CoreDriver.Over(Refresh(old)))).StoredEpoch);
        Assert.False((await CoreDriver.Over(underWay)).IsClosed);
    }

    [Fact]
    public async Task Key_is_taken_over_at_its_version_without_a_callback()
    {
        var request = TakeOver("a", new KeyHeader(Stored, Other));
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], read => ReadOutcome.Found(Stored, [], owner: new KeyOwner(5, read.Claim!.Id)));

        var handle = await CoreDriver.Over(request);
        Assert.Empty(_lane.Deserializing);
        Assert.Equal((Stored, 5), (handle.Version, handle.Epoch));
        var write = _lane.SendChange(handle).Batch[0];
        Assert.Equal((Stored, handle.Owner), (write.Expected, write.Owner));
    }

    [Fact]
    public async Task Key_that_has_another_header_is_not_taken_over()
    {
        var request = TakeOver("a", new KeyHeader(Stored, Other));
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.FencedBy(new KeyHeader(Stored, Other with { Epoch = 6 })));

        Assert.Equal(6, (await Assert.ThrowsAsync<FencedException>(() => CoreDriver.Over(request))).StoredEpoch);
    }

    [Fact]
    public void Handle_on_a_claimed_key_that_was_never_written_closes_before_the_store_forgets_the_claim()
    {
        var lane = new CoreDriver(limits: CoreDriver.Limits with { DeletedHeaderRetention = TimeSpan.FromHours(1) });
        var (idle, written) = (lane.Claimed("idle"), lane.Claimed("written"));
        lane.Answer(lane.SendChange(written));
        lane.PassAsALane(29 * 60_000);
        Assert.False(idle.IsClosed);
        lane.PassAsALane(60_000);
        lane.Pass();

        Assert.True(idle.IsClosed && !written.IsClosed);
    }

    private FillCall Refresh(KeyHandle handle) => _lane.Ask(new FillCall(handle.Key, FillKind.Refresh) { Owner = handle.Owner });

    private FillCall TakeOver(string key, KeyHeader header) =>
        _lane.Ask(new FillCall(new PartitionKey(key), FillKind.TakeOver) { Claim = new KeyClaim(Guid.NewGuid()) { OnlyIf = header } });
}
