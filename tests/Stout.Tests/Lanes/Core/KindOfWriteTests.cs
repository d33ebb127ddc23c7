using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>The choice between a merge, a replacement and a deletion.</summary>
public sealed class KindOfWriteTests
{
    private readonly CoreDriver _lane = new(limits: CoreDriver.Limits with { DeletedHeaderRetention = TimeSpan.FromHours(2) });

    [Fact]
    public void A_write_brings_the_token_that_came_with_the_stamp_which_it_expects()
    {
        var handle = _lane.Open("a");
        for (object? token = null, next = "first"; next is not null; (token, next) = (next, next is "first" ? "second" : null))
        {
            var request = _lane.SendChange(handle);
            Assert.Equal(token, request.Batch[0].ExpectedToken);
            request.Batch.SetOutcome(0, new WriteOutcome(WriteOutcomeKind.Committed, next));
            _lane.Answered(request);
        }

        Assert.Equal("second", _lane.SendChange(handle).Batch[0].ExpectedToken);
    }

    [Fact]
    public void Dirty_parts_are_merged() => Assert.Equal((KeyWriteKind.Merge, "x"), Write(handle => _lane.Mark(handle, "x")));

    [Fact]
    public void Deleted_parts_are_merged() =>
        Assert.Equal((KeyWriteKind.Merge, "-x"), Write(handle => _lane.Room.MarkDeleted(handle, new SubKey("x"), _lane.Now)));

    [Fact]
    public void The_last_mark_of_a_part_holds()
    {
        Assert.Equal((KeyWriteKind.Merge, "-x y"), Write(handle =>
        {
            _lane.Mark(handle, "x");
            _lane.Room.MarkDeleted(handle, new SubKey("x"), _lane.Now);
            _lane.Room.MarkDeleted(handle, new SubKey("y"), _lane.Now);
            _lane.Mark(handle, "y");
        }));
    }

    [Fact]
    public void A_deleted_object_is_deleted_whatever_was_marked_before()
    {
        Assert.Equal((KeyWriteKind.Delete, ""), Write(handle =>
        {
            _lane.Mark(handle, "x");
            _lane.Room.MarkAllDeleted(handle, _lane.Now);
        }));
    }

    [Fact]
    public void Parts_marked_after_a_deletion_replace_the_object()
    {
        Assert.Equal((KeyWriteKind.Replace, "y"), Write(handle =>
        {
            _lane.Mark(handle, "x");
            _lane.Room.MarkAllDeleted(handle, _lane.Now);
            _lane.Mark(handle, "y");
        }));
    }

    [Fact]
    public void A_callback_can_replace_an_object_that_was_deleted_since_it_was_marked()
    {
        Assert.Equal((KeyWriteKind.Replace, "y"), Write(handle => _lane.Mark(handle, "x"), key =>
        {
            key.Replace();
            CoreDriver.Write(key, new SubKey("y"));
        }));
        Assert.Equal((KeyWriteKind.Delete, ""), Write(handle => _lane.Mark(handle, "x"), key => key.Replace()));
    }

    [Fact]
    public void A_handle_on_a_deleted_key_closes_after_half_of_the_headers_retention()
    {
        var handle = _lane.Open("a");
        _lane.Room.MarkAllDeleted(handle, _lane.Now);
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        _lane.PassAsALane(3_599_999);
        Assert.False(handle.IsClosed);

        _lane.PassAsALane(1);

        Assert.True(handle.IsClosed);
        Assert.Null(handle.ClosedBecause);
    }

    [Fact]
    public void A_handle_filled_on_a_deleted_key_closes_too()
    {
        var handle = _lane.Filled("a", new Stamp(0, Guid.NewGuid(), 7), exists: false);
        Assert.False(handle.IsClosed);

        _lane.PassAsALane(3_600_000);

        Assert.True(handle.IsClosed);
    }

    [Fact]
    public void A_handle_on_a_key_that_was_written_again_stays_open()
    {
        var handle = _lane.Open("a");
        _lane.Room.MarkAllDeleted(handle, _lane.Now);
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        _lane.Answer(_lane.SendChange(handle));

        _lane.PassAsALane(3_600_000);

        Assert.False(handle.IsClosed);
    }

    [Fact]
    public void A_handle_on_a_deleted_key_stays_open_while_its_key_is_dirty()
    {
        var handle = _lane.Open("a");
        _lane.Room.MarkAllDeleted(handle, _lane.Now);
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        _lane.PassAsALane(3_599_990);
        var message = _lane.Change(handle);
        _lane.Pass();
        _lane.PassAsALane(10);
        Assert.False(handle.IsClosed);

        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        Assert.True(message.IsSafe);
    }

    [Fact]
    public void However_many_keys_are_deleted_each_handle_closes()
    {
        var handles = Enumerable.Range(0, 1100).Select(i => _lane.Open($"key {i}")).ToList();
        foreach (var handle in handles)
        {
            _lane.Room.MarkAllDeleted(handle, _lane.Now);
            _lane.Pass();
            _lane.SerializeAll();
            _lane.Answer(_lane.Writes[0]);
        }

        _lane.PassAsALane(3_599_999);
        Assert.DoesNotContain(handles, handle => handle.IsClosed);
        _lane.PassAsALane(1);
        Assert.All(handles, handle => Assert.True(handle.IsClosed));
    }

    [Fact]
    public void Closed_handles_on_deleted_keys_do_not_pile_up_until_the_retention_is_over()
    {
        var handles = new List<WeakReference>();
        for (var i = 0; i < 3000; i++)
            handles.Add(DeleteAndClose($"key {i}"));
        GC.Collect();

        Assert.InRange(handles.Count(handle => handle.IsAlive), 0, 2100);
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private WeakReference DeleteAndClose(string key)
    {
        var handle = _lane.Open(key);
        _lane.Room.MarkAllDeleted(handle, _lane.Now);
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        _lane.Core.TryClose(handle, new TaskCompletionSource<bool>());
        _lane.Pass();
        Assert.True(handle.IsClosed);
        return new WeakReference(handle);
    }

    private (KeyWriteKind Kind, string Parts) Write(Action<KeyHandle> mark, Action<SerializationKey>? answer = null)
    {
        var handle = _lane.Open("a");
        mark(handle);
        _lane.Pass();
        (answer ?? (key => CoreDriver.WriteAsked(key)))(_lane.Callbacks[0][0]);
        _lane.EndCallback(_lane.Callbacks[0]);
        var batch = _lane.Writes[0].Batch;
        var parts = batch.PartsOf(0).ToArray().Select(p => (p.IsDeleted ? "-" : "") + p.SubKey).Order(StringComparer.Ordinal);
        var written = (batch[0].Kind, string.Join(' ', parts));
        _lane.Answer(_lane.Writes[0]);
        return written;
    }
}
