namespace Stout.Tests.Lanes.Core;

/// <summary>A law with equal batches: each request in flight has an equal part of the undurable keys.</summary>
public sealed class EqualBatchTests
{
    private readonly CoreDriver _lane = new();

    public EqualBatchTests() => _lane.Law.EqualBatches = true;

    [Theory]
    [InlineData(1, 10, new[] { 10 })]
    [InlineData(2, 10, new[] { 5, 5 })]
    [InlineData(2, 1, new[] { 1 })]
    [InlineData(3, 10, new[] { 4, 4, 2 })]
    [InlineData(3, 2, new[] { 1, 1 })]
    public void The_keys_are_divided_by_the_requests(int inFlight, int keys, int[] sizes)
    {
        _lane.Law.MaxInFlight = inFlight;

        Mark(keys);
        _lane.SerializeAll();

        Assert.Equal(sizes, _lane.Writes.Select(write => write.Count));
    }

    [Fact]
    public void A_smaller_limit_of_the_law_counts()
    {
        (_lane.Law.MaxInFlight, _lane.Law.MaxBatchKeys) = (2, 3);

        Mark(10);
        _lane.SerializeAll();

        Assert.Equal([3, 3], _lane.Writes.Select(write => write.Count));
    }

    [Fact]
    public void Keys_once_taken_are_not_divided_again()
    {
        _lane.Law.MaxInFlight = 2;
        Mark(64);
        Assert.Equal([32, 32], _lane.Callbacks.Select(callback => callback.Count));
        _lane.Serialize(_lane.Callbacks[0]);

        _lane.AnswerOnly(_lane.Writes[0]);
        _lane.Serialize(_lane.Callbacks[0]);

        Assert.Equal([32], _lane.Writes.Select(write => write.Count));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(63)]
    public void Callers_that_return_at_once_end_in_equal_requests(int first)
    {
        _lane.Law.MaxInFlight = 2;
        var handles = Enumerable.Range(0, 64).Select(i => _lane.Open($"key {i}")).ToList();
        handles.Take(first).ToList().ForEach(handle => _lane.Mark(handle));
        _lane.Pass();
        _lane.SerializeAll();
        handles.Skip(first).ToList().ForEach(handle => _lane.Mark(handle));
        _lane.Pass();
        _lane.SerializeAll();

        for (var answers = 0; answers < 10; answers++)
        {
            var answered = _lane.Writes[0];
            var again = Enumerable.Range(0, answered.Count).Select(i => answered[i].Handle).ToList();
            // The lane takes in the next changes of released callers before it sends a batch.
            _lane.AnswerOnly(answered);
            again.ForEach(handle => _lane.Mark(handle));
            _lane.Pass();
            _lane.SerializeAll();
        }

        Assert.Equal([32, 32], _lane.Writes.Select(write => write.Count));
    }

    private void Mark(int keys)
    {
        for (var i = 0; i < keys; i++)
            _lane.Mark(_lane.Open($"key {i}"));
        _lane.Pass();
    }
}
