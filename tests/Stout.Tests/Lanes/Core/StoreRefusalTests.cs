using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>A store that refuses every request is told apart from one that refuses a key.</summary>
public sealed class StoreRefusalTests
{
    private static readonly StoreException OfKey = new(StoreErrorKind.Corrupt, "A row is damaged.");
    private static readonly StoreException OfPartition = new(StoreErrorKind.Refused, "The password is wrong.") { Scope = StoreErrorScope.Partition };
    private static readonly StoreException ForGood = new(StoreErrorKind.Corrupt, "The file is damaged.") { Scope = StoreErrorScope.Client };

    private readonly CoreDriver _lane = new();

    private StoreErrorKind? Refusal => _lane.Core.RefusalAt(_lane.Now)?.Kind;

    [Fact]
    public void Refused_key_refuses_no_store()
    {
        Write(OfKey);

        Assert.Null(Refusal);
    }

    [Fact]
    public void Store_that_refuses_for_good_does_so_until_it_answers()
    {
        Write(ForGood);
        Assert.Equal(StoreErrorKind.Corrupt, Refusal);
        _lane.Pass(TimeSpan.FromDays(1).TotalMilliseconds);
        Assert.Equal(StoreErrorKind.Corrupt, Refusal);

        Write(null);

        Assert.Null(Refusal);
    }

    [Fact]
    public void Store_that_may_be_mended_is_tried_again_after_half_a_minute()
    {
        Write(OfPartition);
        _lane.Pass(29_999);
        Assert.Equal(StoreErrorKind.Refused, Refusal);

        _lane.Pass(1);

        Assert.Null(Refusal);
    }

    [Fact]
    public void Refused_read_counts_as_a_refused_write_does()
    {
        _lane.Fill("read");
        _lane.Pass();

        _lane.Answer(_lane.Reads[^1], _ => ReadOutcome.Of(ForGood));

        Assert.Equal(StoreErrorKind.Corrupt, Refusal);
    }

    [Fact]
    public void Store_that_answers_for_one_key_refuses_no_request()
    {
        _lane.Mark(_lane.Open("a"));
        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        _lane.SerializeAll();
        var request = _lane.Writes[^1];
        request.Batch.SetOutcome(0, WriteOutcome.Of(ForGood));
        request.Batch.SetOutcome(1, new WriteOutcome(WriteOutcomeKind.Committed));

        _lane.Answered(request);

        Assert.Null(Refusal);
    }

    private void Write(StoreException? error)
    {
        var request = _lane.SendChange(_lane.Open(Guid.NewGuid().ToString()));
        request.Batch.SetOutcome(0, error is null ? new WriteOutcome(WriteOutcomeKind.Committed) : WriteOutcome.Of(error));
        _lane.Answered(request);
    }
}
