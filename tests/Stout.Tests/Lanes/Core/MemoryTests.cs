using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>What a batch needs is used again by the next: in the long run a lane allocates nothing.</summary>
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
}
