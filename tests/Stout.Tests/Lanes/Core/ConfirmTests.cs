using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>Confirmed reads: a lane's questions to the store, and its answers to callers.</summary>
public sealed class ConfirmTests
{
    private static readonly Stamp Stored = new(0, Guid.NewGuid(), 7);

    private readonly CoreDriver _lane = new();

    [Fact]
    public void One_question_serves_all_that_wait_and_the_next_one_all_that_came_meanwhile()
    {
        var (a, b) = (_lane.Claimed("a"), _lane.Claimed("b"));
        var first = new[] { Confirm(a), Confirm(a), Confirm(b) };
        _lane.Pass();
        var later = new[] { Confirm(a), Confirm(b), Confirm(b) };
        _lane.Pass();
        Assert.Equal(["a", "b"], KeysOf(Assert.Single(_lane.Reads)));

        Answer(_lane.Reads[0]);

        Assert.All(first, message => Assert.True(message.IsSafe));
        Assert.All(later, message => Assert.False(message.IsReleased));
        Assert.Equal(["a", "b"], KeysOf(Assert.Single(_lane.Reads)));
        Answer(_lane.Reads[0]);
        Assert.All(later, message => Assert.True(message.IsSafe));
        Assert.Empty(_lane.Reads);
    }

    [Fact]
    public void Question_reads_the_header_alone_and_does_not_wait_for_a_departure()
    {
        var lane = new CoreDriver(interval: 100);
        var handle = lane.Filled("a", Stored);
        var message = new TestMessage();
        lane.Core.Confirm(handle, message, lane.Now);
        lane.Pass();

        var read = lane.Reads[0].Batch[0];
        Assert.Equal((KeyReadKind.Header, null), (read.Kind, read.Claim));
    }

    [Fact]
    public void Other_owner_fences_the_handle_and_all_that_waits_for_it()
    {
        var handle = _lane.Claimed("a");
        var change = _lane.Change(handle);
        _lane.Pass();
        _lane.SerializeAll();
        var confirmed = Confirm(handle);
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(Stored, [], owner: new KeyOwner(9, Guid.NewGuid())));

        Assert.Equal(9, confirmed.FailedWith<FencedException>().StoredEpoch);
        Assert.IsType<FencedException>(change.FailedWith<OutcomeUnknownException>().InnerException);
        Assert.True(handle.IsClosed);
        var late = Confirm(handle);
        _lane.Pass();
        Assert.IsType<OutcomeUnknownException>(late.FailedWith<HandleClosedException>().InnerException);
    }

    [Fact]
    public void Commit_of_what_is_dirty_answers_as_well_since_it_compares_the_owner()
    {
        var handle = _lane.Claimed("a");
        _lane.Mark(handle);
        var confirmed = Confirm(handle);
        _lane.Pass();
        _lane.SerializeAll();
        Assert.Empty(_lane.Reads);
        Assert.False(confirmed.IsReleased);

        _lane.Answer(_lane.Writes[0]);

        Assert.True(confirmed.IsSafe);
    }

    [Fact]
    public void Commit_of_what_was_sent_before_does_not_answer()
    {
        var handle = _lane.Claimed("a");
        var write = _lane.SendChange(handle);
        var confirmed = Confirm(handle);
        _lane.Pass();
        _lane.Answer(write);
        Assert.False(confirmed.IsReleased);

        Answer(_lane.Reads[0]);

        Assert.True(confirmed.IsSafe);
    }

    [Fact]
    public void Handle_without_a_claim_is_confirmed_by_its_version_and_in_conflict_with_any_other()
    {
        var handle = _lane.Filled("a", Stored);
        var confirmed = Confirm(handle);
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(Stored, []));
        Assert.True(confirmed.IsSafe);

        confirmed = Confirm(handle);
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(new Stamp(0, Guid.NewGuid(), 1), []));

        confirmed.FailedWith<ConflictException>();
        Assert.True(handle.IsClosed);
    }

    [Fact]
    public void Handle_without_a_claim_that_writes_meanwhile_is_asked_for_again()
    {
        var handle = _lane.Filled("a", Stored);
        var write = _lane.SendChange(handle);
        var confirmed = Confirm(handle);
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(write.Batch[0].Next, []));
        Assert.False(confirmed.IsReleased);
        _lane.Answer(write);
        _lane.PassToWake();

        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Found(handle.Version, []));

        Assert.True(confirmed.IsSafe);
    }

    [Fact]
    public void Store_that_can_not_be_asked_leaves_the_handle_and_tells_why()
    {
        var handle = _lane.Claimed("a");
        var confirmed = Confirm(handle);
        var said = new StoreException(StoreErrorKind.Unreachable, "down");
        _lane.Pass();
        while (!confirmed.IsReleased && _lane.Now < TimeSpan.FromMinutes(2))
        {
            if (_lane.Reads.Count > 0)
                _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Of(said));
            else
                _lane.PassToWake();
        }

        Assert.Same(said, confirmed.FailedWith<UnconfirmedException>().InnerException);
        Assert.InRange(_lane.Now, TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(31));
        Assert.False(handle.IsClosed);
    }

    [Fact]
    public void Question_without_an_answer_is_asked_again_and_its_late_answer_harmless()
    {
        var handle = _lane.Claimed("a");
        var confirmed = Confirm(handle);
        _lane.Pass();
        var hanging = Assert.Single(_lane.Reads);
        _lane.PassAsALane(16_000);
        Assert.Equal(2, _lane.Reads.Count);

        _lane.Answer(hanging, _ => ReadOutcome.Found(Stored, [], owner: new KeyOwner(9, Guid.NewGuid())));
        Assert.False(confirmed.IsReleased || handle.IsClosed);
        Answer(_lane.Reads[0]);

        Assert.True(confirmed.IsSafe);
    }

    [Fact]
    public void Question_that_hangs_does_not_hold_the_others_back()
    {
        var (a, b) = (_lane.Claimed("a"), _lane.Claimed("b"));
        Confirm(a);
        _lane.Pass();
        var hanging = _lane.Reads[0];
        var confirmed = Confirm(b);
        _lane.Pass();
        _lane.PassAsALane(2_000);

        Answer(Assert.Single(_lane.Reads, read => read != hanging));

        Assert.True(confirmed.IsSafe);
    }

    [Fact]
    public void Refused_question_is_not_asked_again()
    {
        var confirmed = Confirm(_lane.Claimed("a"));
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Of(new StoreException(StoreErrorKind.Corrupt, "damaged")));

        Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(confirmed.FailedWith<UnconfirmedException>().InnerException).Kind);
        Assert.Empty(_lane.Reads);
    }

    [Fact]
    public void Stop_waits_for_the_answer_and_an_abort_does_not()
    {
        var (a, b) = (_lane.Claimed("a"), _lane.Claimed("b"));
        var first = Confirm(a);
        _lane.Core.Stop();
        _lane.Pass();
        Assert.False(_lane.IsDrained);
        Answer(_lane.Reads[0]);
        Assert.True(first.IsSafe);
        Assert.True(_lane.IsDrained);

        var second = Confirm(b);
        _lane.Core.Abort();
        _lane.Pass();
        second.FailedWith<StoppedException>();
    }

    [Fact]
    public void Request_of_questions_keeps_to_the_stores_limit()
    {
        var lane = new CoreDriver(limits: CoreDriver.Limits with { MaxBatchKeys = 2 });
        var messages = new List<TestMessage>();
        foreach (var handle in Enumerable.Range(0, 5).Select(i => lane.Filled($"{i}", Stored)).ToList())
        {
            messages.Add(new TestMessage());
            lane.Core.Confirm(handle, messages[^1], lane.Now);
        }

        lane.Pass();
        var requests = 0;
        for (; lane.Reads.Count > 0; requests++)
        {
            Assert.InRange(lane.Reads[0].Batch.Count, 1, 2);
            lane.Answer(lane.Reads[0], _ => ReadOutcome.Found(Stored, []));
        }

        Assert.Equal(3, requests);
        Assert.All(messages, message => Assert.True(message.IsSafe));
    }

    private TestMessage Confirm(KeyHandle handle)
    {
        var message = new TestMessage();
        _lane.Core.Confirm(handle, message, _lane.Now);
        return message;
    }

    private void Answer(ReadRequest request)
    {
        var owners = request.Checks.ToDictionary(check => check.Handle.Key, check => check.Handle.Owner);
        _lane.Answer(request, read => ReadOutcome.Found(Stored, [], owner: owners[read.Key]));
    }

    private static IEnumerable<string> KeysOf(ReadRequest request) => Enumerable.Range(0, request.Batch.Count).Select(i => request.Batch[i].Key.Text);
}
