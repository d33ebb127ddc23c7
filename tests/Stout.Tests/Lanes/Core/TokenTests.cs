using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>A write expects the stamp that was last read or acknowledged, and brings the token that the proxy returned with that stamp.</summary>
public sealed class TokenTests
{
    private readonly CoreDriver _lane = new();

    [Fact]
    public void First_write_brings_the_token_of_the_read()
    {
        var handle = Filled("of the read");
        Assert.Equal("of the read", Token(_lane.SendChange(handle)));
    }

    [Fact]
    public void Next_write_brings_the_token_of_the_last_commit()
    {
        var handle = Filled("of the read");
        Commit(_lane.SendChange(handle), "of the first");
        Commit(_lane.SendChange(handle), "of the second");
        Assert.Equal("of the second", Token(_lane.SendChange(handle)));
    }

    [Fact]
    public void Change_marked_while_a_batch_was_under_way_brings_the_token_of_that_batch()
    {
        var handle = Filled("of the read");
        var first = _lane.SendChange(handle);
        var left = first.Batch[0].Next;
        _lane.Mark(handle, "later");
        Commit(first, "of the first");
        _lane.SerializeAll();
        var second = _lane.Writes[^1];
        Assert.Equal("of the first", Token(second));
        Assert.Equal(left, second.Batch[0].Expected);
    }

    [Fact]
    public void Commit_without_a_token_leaves_none()
    {
        var handle = Filled("of the read");
        Commit(_lane.SendChange(handle), null);
        Assert.Null(Token(_lane.SendChange(handle)));
    }

    [Fact]
    public void Repetition_of_a_write_of_unknown_outcome_brings_the_same_token()
    {
        var handle = Filled("of the read");
        Commit(_lane.SendChange(handle), "of the first");
        _lane.Answer(_lane.SendChange(handle), WriteOutcomeKind.Unknown);
        _lane.PassAsALane(100);
        Assert.Equal("of the first", Token(Assert.Single(_lane.Writes)));
    }

    private KeyHandle Filled(object token)
    {
        var request = _lane.Fill("a");
        _lane.Pass();
        _lane.Answer(_lane.Reads[^1], _ => ReadOutcome.Found(new Stamp(0, Guid.NewGuid(), 1), [], token));
        _lane.EndDeserialize(_lane.Deserializing[^1]);
        return CoreDriver.Over(request).Result;
    }

    private void Commit(WriteRequest request, object? token)
    {
        request.Batch.SetOutcome(0, new WriteOutcome(WriteOutcomeKind.Committed, Token: token));
        _lane.Answered(request);
    }

    private static object? Token(WriteRequest request) => request.Batch[0].ExpectedToken;
}
