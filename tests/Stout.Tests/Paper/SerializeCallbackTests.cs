using System.Buffers;
using Stout.Storage;
using Stout.Tests.Lanes.Core;

namespace Stout.Tests.Paper;

/// <summary>Serialize callbacks that defer keys, throw, hang, or break the rules.</summary>
public sealed class SerializeCallbackTests
{
    private readonly CoreDriver _lane = new();

    [Fact]
    public void A_key_that_was_left_is_asked_for_again_after_a_while_and_not_before()
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        _lane.Callbacks[0][0].Defer();
        _lane.EndCallback(_lane.Callbacks[0]);
        _lane.PassAsALane(4.9);
        Assert.Empty(_lane.Callbacks);

        _lane.PassAsALane(0.1);
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);

        Assert.True(message.IsSafe);
    }

    [Fact]
    public void A_key_that_was_left_is_asked_for_again_at_its_next_mark()
    {
        var handle = _lane.Open("a");
        var first = _lane.Change(handle, "x");
        _lane.Pass();
        _lane.Callbacks[0][0].Defer();
        _lane.EndCallback(_lane.Callbacks[0]);

        var second = _lane.Change(handle, "y");
        _lane.Pass();
        _lane.SerializeAll();
        Assert.Equal(2, _lane.Writes[0].Batch.PartCount);
        _lane.Answer(_lane.Writes[0]);

        Assert.Equal([first, second], _lane.Released);
    }

    [Fact]
    public void A_key_that_was_marked_before_it_was_left_is_asked_for_again_at_once()
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        var callback = _lane.Callbacks[0];
        _lane.Mark(callback.Entry(0).Work.Handle);
        callback[0].Defer();
        _lane.EndCallback(callback);
        _lane.SerializeAll();
        _lane.Answer(Assert.Single(_lane.Writes));

        Assert.True(message.IsSafe);
    }

    [Fact]
    public void After_a_throw_a_key_that_was_answered_in_part_is_asked_for_again()
    {
        var (a, b) = (_lane.Open("a"), _lane.Open("b"));
        var failed = _lane.Change(a);
        _lane.Mark(b, "x");
        var message = _lane.Change(b, "y");
        _lane.Pass();
        var callback = _lane.Callbacks[0];
        CoreDriver.Write(callback[1], new SubKey("x"));
        _ = callback[0];
        _lane.EndCallback(callback, new FormatException());
        failed.FailedWith<NotAppliedException>();
        Assert.False(message.IsReleased);
        _lane.PassAsALane(1000);
        _lane.SerializeAll();
        _lane.Answer(Assert.Single(_lane.Writes));

        Assert.True(message.IsSafe);
    }

    [Theory]
    [InlineData("")]
    [InlineData("part")]
    public void An_object_is_replaced_before_its_parts_are_answered_for(string part)
    {
        _lane.Mark(_lane.Open("a"), part);
        _lane.Pass();
        var key = _lane.Callbacks[0][0];
        key.Delete(new SubKey(part));

        Assert.Throws<InvalidOperationException>(() => key.Replace());
    }

    [Fact]
    public void A_mark_of_one_key_that_was_left_takes_no_other_along()
    {
        var handle = _lane.Open("a");
        _lane.Mark(handle);
        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        var batch = _lane.Callbacks[0];
        batch[0].Defer();
        batch[1].Defer();
        _lane.EndCallback(batch);

        _lane.Mark(handle);
        _lane.Pass();
        Assert.Equal("a", _lane.Callbacks[0][0].Key.Text);
        Assert.Equal(1, _lane.Callbacks[0].Count);
        _lane.SerializeAll();
        _lane.PassAsALane(5);
        Assert.Equal("b", _lane.Callbacks[0][0].Key.Text);
        Assert.Equal(1, _lane.Callbacks[0].Count);
    }

    [Fact]
    public void A_key_that_throws_fails_alone_and_the_others_proceed()
    {
        var (a, b, c) = (_lane.Change(_lane.Open("a")), _lane.Change(_lane.Open("b")), _lane.Change(_lane.Open("c")));
        _lane.Pass();
        var batch = _lane.Callbacks[0];
        CoreDriver.WriteAsked(batch[0]);
        _ = batch[1];
        var thrown = new FormatException();
        _lane.EndCallback(batch, thrown);
        _lane.PassAsALane(5);
        _lane.SerializeAll();
        _lane.Writes.ToList().ForEach(request => _lane.Answer(request));

        Assert.True(a.IsSafe);
        Assert.Same(thrown, b.FailedWith<NotAppliedException>().InnerException);
        Assert.True(c.IsSafe);
    }

    [Fact]
    public void After_a_throw_only_what_was_answered_leaves_at_once()
    {
        _lane.Mark(_lane.Open("answered"));
        _lane.Mark(_lane.Open("thrown"));
        var deleted = _lane.Open("deleted");
        _lane.Room.MarkAllDeleted(deleted, _lane.Now);
        _lane.Pass();
        var batch = _lane.Callbacks[0];
        CoreDriver.WriteAsked(batch[0]);
        _ = batch[1];
        _lane.EndCallback(batch, new FormatException());
        Assert.Equal("answered", Assert.Single(_lane.Writes).Batch[0].Key.Text);
        Assert.Equal(1, _lane.Writes[0].Count);

        _lane.PassAsALane(5);
        Assert.Equal("deleted", _lane.Callbacks[0][0].Key.Text);
    }

    [Fact]
    public void The_key_that_was_being_written_is_blamed_even_if_others_were_looked_at_after_it()
    {
        var (a, b) = (_lane.Change(_lane.Open("a")), _lane.Change(_lane.Open("b")));
        _lane.Pass();
        var batch = _lane.Callbacks[0];
        var (first, _) = (batch[0], batch[1]);
        first.Replace();
        CoreDriver.Write(first, new SubKey("half"));
        _lane.EndCallback(batch, new FormatException());
        _lane.PassAsALane(5);
        _lane.SerializeAll();
        _lane.Answer(Assert.Single(_lane.Writes));

        a.FailedWith<NotAppliedException>();
        Assert.True(b.IsSafe);
    }

    [Fact]
    public void A_hung_callback_takes_no_place_in_flight_and_others_proceed_until_it_fails_its_keys()
    {
        _lane.Law.MaxInFlight = 1;
        var hung = _lane.Change(_lane.Open("hung"));
        _lane.Pass();
        var batch = _lane.Callbacks[0];
        _lane.PassAsALane(20);
        for (var i = 0; i < 5; i++)
        {
            var other = _lane.Change(_lane.Open("other"));
            _lane.Pass();
            _lane.Serialize(_lane.Callbacks[1]);
            _lane.Pass();
            _lane.Answer(Assert.Single(_lane.Writes));
            Assert.True(other.IsSafe);
        }

        _lane.PassAsALane(29_979);
        Assert.False(hung.IsReleased);
        _lane.PassAsALane(1);

        Assert.Equal(NotAppliedReason.SerializationTimedOut, hung.FailedWith<NotAppliedException>().Reason);
        Assert.Throws<InvalidOperationException>(() => batch[0].Write(SubKey.Root));
        _lane.EndCallback(batch);
        Assert.Empty(_lane.Writes);
    }

    [Fact]
    public void A_callback_that_hangs_gives_its_place_back_even_if_it_never_was_slow()
    {
        var lane = new CoreDriver(new StoutOptions { CallbackTimeout = TimeSpan.FromMilliseconds(5) });
        lane.Law.MaxBatchKeys = 1;
        lane.Law.MaxInFlight = 1;
        lane.Mark(lane.Open("hangs"));
        lane.Mark(lane.Open("a"));
        lane.Pass();
        lane.PassAsALane(5);

        Assert.Equal("a", lane.Callbacks[^1][0].Key.Text);
    }

    [Fact]
    public void A_part_that_was_asked_for_and_not_answered_fails_its_key_alone()
    {
        var handle = _lane.Open("a");
        _lane.Mark(handle, "x");
        var torn = _lane.Change(handle, "y");
        var other = _lane.Change(_lane.Open("b"));
        _lane.Pass();
        var batch = _lane.Callbacks[0];
        CoreDriver.Write(batch[0], new SubKey("x"));
        CoreDriver.WriteAsked(batch[1]);
        _lane.EndCallback(batch);
        _lane.Answer(Assert.Single(_lane.Writes));

        Assert.Equal(NotAppliedReason.SerializationFailed, torn.FailedWith<NotAppliedException>().Reason);
        Assert.True(other.IsSafe);
    }

    [Fact]
    public void The_first_answer_for_a_part_holds_also_if_the_callback_goes_on_after_a_second()
    {
        var handle = _lane.Open("a");
        _lane.Mark(handle, "written");
        _lane.Mark(handle, "deleted");
        _lane.Pass();
        var key = _lane.Callbacks[0][0];
        CoreDriver.Write(key, new SubKey("written"), 3);
        Assert.Throws<InvalidOperationException>(() => key.Delete(new SubKey("written")));
        key.Delete(new SubKey("deleted"));
        Assert.Throws<InvalidOperationException>(() => key.Write(new SubKey("deleted")));
        Assert.Throws<InvalidOperationException>(key.Replace);
        _lane.EndCallback(_lane.Callbacks[0]);

        var parts = _lane.Writes[0].Batch.PartsOf(0).ToArray();
        Assert.Equal([("deleted", true, 0), ("written", false, 3)], parts.OrderBy(p => p.SubKey).Select(p => (p.SubKey.Text, p.IsDeleted, p.Value.Length)));
    }

    [Fact]
    public void What_a_callback_has_kept_is_dead_once_it_is_over_also_when_its_memory_is_used_again()
    {
        var handle = _lane.Open("a");
        _lane.Mark(handle);
        _lane.Pass();
        var stale = _lane.Callbacks[0][0];
        var writer = stale.Write(SubKey.Root);
        writer.Write<byte>([1, 2, 3]);
        _lane.EndCallback(_lane.Callbacks[0]);
        Assert.Throws<InvalidOperationException>(() => { writer.GetMemory(1 << 20); });
        Assert.Throws<InvalidOperationException>(() => writer.Advance(1));
        Assert.Equal([1, 2, 3], _lane.Writes[0].Batch.PartsOf(0)[0].Value.ToArray());
        _lane.Answer(_lane.Writes[0]);
        _lane.Mark(handle, "second");
        _lane.Pass();

        Assert.Throws<InvalidOperationException>(() => stale.Write(SubKey.Root));
        Assert.Throws<InvalidOperationException>(() => stale.Delete(SubKey.Root));
        Assert.Throws<InvalidOperationException>(stale.Defer);
        Assert.Throws<InvalidOperationException>(stale.Replace);
        Assert.Throws<InvalidOperationException>(() => stale.Fail(new FormatException()));
        Assert.Throws<InvalidOperationException>(() => stale.Handle);
        Assert.Throws<InvalidOperationException>(() => stale.DirtyParts.Length);
        _lane.SerializeAll();
        Assert.Equal("second", Assert.Single(_lane.Writes[0].Batch.PartsOf(0).ToArray()).SubKey.Text);
    }

    [Fact]
    public void A_writer_takes_no_nonsense()
    {
        _lane.Mark(_lane.Open("a"));
        _lane.Pass();
        var writer = _lane.Callbacks[0][0].Write(SubKey.Root);

        Assert.Throws<ArgumentOutOfRangeException>(() => writer.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.Advance(int.MaxValue));
        Assert.Throws<ArgumentOutOfRangeException>(() => { writer.GetSpan(-1); });
        Assert.Throws<ArgumentOutOfRangeException>(() => _lane.Callbacks[0][1]);
        writer.Write("safe"u8);
        _lane.EndCallback(_lane.Callbacks[0]);
        Assert.Equal("safe"u8.ToArray(), _lane.Writes[0].Batch.PartsOf(0)[0].Value.ToArray());
    }
}
