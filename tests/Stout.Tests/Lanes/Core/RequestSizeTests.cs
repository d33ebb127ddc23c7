using Stout.Lanes.Core;

namespace Stout.Tests.Lanes.Core;

/// <summary>The number of keys of a request after requests that failed as a whole.</summary>
public sealed class RequestSizeTests
{
    private readonly RequestSize _size = new();

    [Fact]
    public void A_request_that_fails_halves_what_goes_together_down_to_one_key()
    {
        Assert.Equal(int.MaxValue, _size.Keys);
        List<int> sizes = [20_000];
        while (sizes[^1] > 1)
        {
            _size.Failed(sizes[^1]);
            sizes.Add(_size.Keys);
        }

        Assert.Equal([20_000, 10_000, 5_000, 2_500, 1_250, 625, 312, 156, 78, 39, 19, 9, 4, 2, 1], sizes);
    }

    [Fact]
    public void Requests_that_fail_together_halve_once()
    {
        for (var i = 0; i < 8; i++)
            _size.Failed(1000);

        Assert.Equal(500, _size.Keys);
    }

    [Fact]
    public void Only_a_request_at_the_limit_raises_it()
    {
        _size.Failed(1000);
        _size.Answered(499);
        Assert.Equal(500, _size.Keys);

        _size.Answered(500);
        Assert.Equal(531, _size.Keys);
    }

    [Fact]
    public void The_size_that_failed_is_tried_again_at_most_once_in_twelve_requests()
    {
        _size.Failed(1000);
        var requests = 0;
        for (; _size.Keys < 1000; requests++)
            _size.Answered(_size.Keys);

        Assert.InRange(requests, 11, 16);
    }

    [Fact]
    public void After_further_halvings_the_limit_doubles_up_to_the_size_that_failed_last()
    {
        _size.Failed(1000);
        _size.Failed(100);
        Assert.Equal(50, _size.Keys);
        _size.Answered(50);
        Assert.Equal(53, _size.Keys);

        // A failed request of one key does not change the limit, since it says nothing about sizes.
        _size.Failed(1);
        Assert.Equal(53, _size.Keys);
        _size.Answered(53);
        Assert.Equal(106, _size.Keys);
    }

    [Fact]
    public void From_one_key_the_limit_grows_and_never_overflows()
    {
        _size.Failed(2);
        Assert.Equal(1, _size.Keys);
        _size.Answered(1);
        Assert.Equal(2, _size.Keys);
        _size.Failed(1);
        for (var i = 0; i < 100; i++)
            _size.Answered(_size.Keys);

        Assert.Equal(int.MaxValue, _size.Keys);
    }
}
