using System.Threading.Channels;
using Stout.Lanes.Shell;

namespace Stout.Tests.Lanes;

/// <summary>The signals that wake a lane's loop.</summary>
public sealed class LoopSignalTests
{
    private readonly LoopSignal _signal = new();
    private readonly Channel<int> _intake = Channel.CreateUnbounded<int>(new() { SingleReader = true });

    [Fact]
    public void Loop_does_not_wait_while_its_intake_holds_something()
    {
        Post(1, runsHere: false);

        Assert.True(RunAsync(items: 1).IsCompletedSuccessfully);
    }

    [Fact]
    public void Loop_goes_on_inside_the_call_that_lends_its_thread()
    {
        var loop = RunAsync(items: 1);
        Assert.False(loop.IsCompleted);

        Post(1, runsHere: true);

        Assert.True(loop.IsCompletedSuccessfully);
    }

    [Fact(Timeout = 30_000)]
    public async Task Loop_goes_on_in_the_pool_where_no_thread_is_lent()
    {
        var thread = new TaskCompletionSource<Thread>(TaskCreationOptions.RunContinuationsAsynchronously);
        var loop = LoopAsync();
        var poster = new Thread(() => Post(1, runsHere: false));
        poster.Start();

        Assert.NotSame(poster, await thread.Task);
        await loop;

        async Task LoopAsync()
        {
            await _signal.WaitAsync(_intake.Reader);
            thread.SetResult(Thread.CurrentThread);
        }
    }

    [Fact]
    public void Loop_knows_that_its_thread_is_lent_only_until_it_waits_again()
    {
        var lent = new List<bool>();
        var loop = LoopAsync();

        Post(1, runsHere: true);
        var isLentAfterwards = _signal.IsThreadLent;
        Post(2, runsHere: true);

        Assert.True(loop.IsCompletedSuccessfully);
        Assert.Equal([true, true], lent);
        Assert.Equal((false, false), (isLentAfterwards, _signal.IsThreadLent));

        async Task LoopAsync()
        {
            for (var i = 0; i < 2; i++)
            {
                await _signal.WaitAsync(_intake.Reader).ConfigureAwait(false);
                lent.Add(_signal.IsThreadLent);
                Assert.True(_intake.Reader.TryRead(out _));
            }
        }
    }

    [Fact]
    public void Signal_without_a_waiting_loop_lends_nothing() => Assert.False(_signal.Set(runsHere: true));

    [Fact(Timeout = 30_000)]
    public async Task Item_posted_while_the_loop_begins_to_wait_is_not_missed()
    {
        const int Posters = 4, Each = 20_000;
        var loop = Task.Run(() => RunAsync(Posters * Each), TestContext.Current.CancellationToken);
        await Task.WhenAll(Enumerable.Range(0, Posters).Select(poster => Task.Run(() =>
        {
            for (var i = 0; i < Each; i++)
                Post(i, runsHere: (i + poster) % 2 == 0);
        })));

        Assert.Equal(Posters * Each, await loop);
    }

    private void Post(int item, bool runsHere)
    {
        _intake.Writer.TryWrite(item);
        _signal.Set(runsHere);
    }

    private async Task<int> RunAsync(int items)
    {
        var taken = 0;
        while (taken < items)
        {
            await _signal.WaitAsync(_intake.Reader).ConfigureAwait(false);
            while (_intake.Reader.TryRead(out _))
                taken++;
        }

        return taken;
    }
}
