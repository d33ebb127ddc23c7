using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>A batch's memory is used again by the next batch: in the long run a lane allocates nothing.</summary>
public sealed class MemoryTests
{
    private readonly CoreDriver _lane = new();

    [Theory]
    [InlineData(WriteOutcomeKind.Committed)]
    [InlineData(WriteOutcomeKind.Refused)]
    [InlineData(WriteOutcomeKind.Overloaded)]
    public void Memory_of_what_the_store_has_answered_is_used_again(WriteOutcomeKind answer)
    {
        _lane.Mark(_lane.Open("a"));
        _lane.Pass();
        var callback = _lane.Callbacks[0];
        _lane.SerializeAll();
        var request = _lane.Writes[0];
        _lane.Answer(request, answer);
        _lane.PassAsALane(100);
        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        Assert.Same(callback, _lane.Callbacks[0]);

        _lane.SerializeAll();
        Assert.Same(request, _lane.Writes[0]);
    }

    [Fact]
    public void Memory_of_what_was_never_resolved_is_used_again()
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        var callback = _lane.Callbacks[0];
        _lane.SerializeAll();
        var request = _lane.Writes[0];
        _lane.Answer(request, WriteOutcomeKind.Unknown);
        _lane.Pass(40_000);
        message.FailedWith<OutcomeUnknownException>();

        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        Assert.Same(callback, _lane.Callbacks[0]);
    }

    [Fact]
    public void What_happened_to_the_memorys_last_key_makes_no_failure_uncertain()
    {
        _lane.Answer(_lane.SendChange(_lane.Open("a")));
        var message = _lane.Change(_lane.Open("b"));
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Refused);

        message.FailedWith<NotAppliedException>();
    }

    [Fact]
    public void Memory_of_what_could_not_be_serialized_is_used_again()
    {
        _lane.Mark(_lane.Open("a"));
        _lane.Pass();
        var callback = _lane.Callbacks[0];
        _lane.Serialize(callback, bytes: 1001);
        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        Assert.Same(callback, _lane.Callbacks[0]);
        _lane.EndCallback(callback);
        _lane.Mark(_lane.Open("c"));
        _lane.Pass();

        Assert.Same(callback, _lane.Callbacks[0]);
    }

    [Fact]
    public void No_more_is_kept_for_the_next_batches_than_they_ordinarily_need()
    {
        _lane.Law.MaxBatchKeys = 1;
        var handles = Enumerable.Range(0, 12).Select(i => _lane.Open($"key {i}")).ToArray();
        var (callbacks, requests) = InOneRequestEach();
        var (callbacksAgain, requestsAgain) = InOneRequestEach();

        Assert.Equal(8, callbacks.Intersect(callbacksAgain).Count());
        Assert.Equal(8, requests.Intersect(requestsAgain).Count());

        (SerializationBatch[] Callbacks, WriteRequest[] Requests) InOneRequestEach()
        {
            foreach (var handle in handles)
                _lane.Mark(handle);
            _lane.Pass();
            while (_lane.Callbacks.Count < handles.Length)
                _lane.PassAsALane(20);
            var callbacks = _lane.Callbacks.ToArray();
            _lane.SerializeAll();
            var requests = _lane.Writes.ToArray();
            foreach (var request in requests)
                _lane.Answer(request);
            return (callbacks, requests);
        }
    }

    [Fact]
    public void What_a_dirty_key_needs_is_kept_for_as_many_keys_as_are_open()
    {
        var handles = Enumerable.Range(0, 3).Select(i => _lane.Open($"key {i}")).ToList();
        var before = Works();
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        Assert.Equal(before.ToHashSet(), Works().ToHashSet());
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);

        foreach (var handle in handles[1..])
            _lane.Core.TryClose(handle, new TaskCompletionSource<bool>());
        handles = [handles[0], _lane.Open("other"), _lane.Open("another")];
        Assert.Single(before.Intersect(Works()));

        PendingWork[] Works()
        {
            handles.ForEach(handle => _lane.Mark(handle));
            return [.. handles.Select(handle => handle.Work!)];
        }
    }
}
