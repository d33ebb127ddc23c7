using Stout.Argon.Amortization;

namespace Stout.Argon.Tests.Caching;

/// <summary>The count of an object's sequential reads, which decides the prefetch.</summary>
public sealed class ReadRunTests
{
    [Fact]
    public void Eight_blocks_in_a_row_are_prefetched_as_eight_more()
    {
        var run = default(ReadRun);
        for (var block = 100; block < 108; block++)
            run.Read(block, 1);
        Assert.Equal(8, run.Prefetch(1, ceiling: 1000));
    }

    [Fact]
    public void Short_runs_and_the_first_read_of_a_run_are_not_prefetched()
    {
        var run = default(ReadRun);
        run.Read(50, 32);
        Assert.Equal(0, run.Prefetch(32, 1000));
        for (var block = 200; block < 204; block++)
            run.Read(block, 1);
        Assert.Equal(0, run.Prefetch(1, 1000));
    }

    [Fact]
    public void The_ceiling_bounds_the_access_in_all()
    {
        var run = default(ReadRun);
        for (var block = 0; block < 4000; block += 8)
            run.Read(block, 8);
        Assert.Equal(92, run.Prefetch(8, 100));
    }

    [Fact]
    public void A_read_off_the_run_resets_it_and_a_repeated_block_does_not()
    {
        var run = default(ReadRun);
        for (var block = 0; block < 20; block++)
        {
            run.Read(block, 1);
            run.Read(block, 1);
        }

        Assert.Equal(20, run.Length);
        run.Read(500, 1);
        Assert.Equal(0, run.Length);
    }
}
