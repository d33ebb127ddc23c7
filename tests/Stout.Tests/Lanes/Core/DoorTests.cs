using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>Load bounds push back where callers come in.</summary>
public sealed class DoorTests
{
    [Fact]
    public void Callers_wait_while_too_many_keys_are_dirty_and_come_in_as_there_is_room()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 2 });
        var (a, b) = (lane.Open("a"), lane.Open("b"));
        Assert.True(lane.Core.IsDoorOpen);
        lane.Mark(a);
        lane.Mark(b);
        Assert.False(lane.Core.IsDoorOpen);
        lane.Pass();
        var callers = Enumerable.Range(0, 3).Select(_ => Admit(lane)).ToArray();
        Assert.All(callers, caller => Assert.False(caller.IsCompleted));

        lane.SerializeAll();
        lane.Answer(lane.Writes[0]);

        Assert.Equal([true, true, false], callers.Select(c => c.IsCompletedSuccessfully));
    }

    [Fact]
    public void Undurable_bytes_hold_callers_back()
    {
        var lane = new CoreDriver(new StoutOptions { MaxUndurableBytes = 100 });
        lane.Mark(lane.Open("a"));
        lane.Pass();
        Assert.True(Admit(lane).IsCompletedSuccessfully);
        lane.SerializeAll(bytes: 100);
        var caller = Admit(lane);
        Assert.False(caller.IsCompleted);

        lane.Answer(lane.Writes[0]);

        Assert.True(caller.IsCompletedSuccessfully);
    }

    [Fact]
    public void Waiting_messages_hold_callers_back()
    {
        var lane = new CoreDriver(new StoutOptions { MaxWaitingMessages = 2 });
        var handle = lane.Open("a");
        lane.Change(handle);
        Assert.True(Admit(lane).IsCompletedSuccessfully);
        lane.Change(handle);

        Assert.False(Admit(lane).IsCompleted);
    }

    [Fact]
    public async Task Callers_fail_fast_where_the_options_say_so()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1, WhenOverloaded = WhenOverloaded.Fail });
        lane.Mark(lane.Open("a"));

        var failure = await Assert.ThrowsAsync<OverloadException>(() => CoreDriver.Over(Admit(lane)));

        Assert.Equal(TimeSpan.FromMilliseconds(50), failure.RetryAfter); // the shortest retry delay; no interval here
    }

    [Fact]
    public void Callers_who_have_gone_take_nobodys_place()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1 });
        lane.Mark(lane.Open("a"));
        lane.Pass();
        var gone = new TaskCompletionSource<bool>();
        lane.Core.Admit(gone);
        gone.SetCanceled(TestContext.Current.CancellationToken);
        var caller = Admit(lane);
        lane.SerializeAll();
        lane.Answer(lane.Writes[0]);

        Assert.True(caller.IsCompletedSuccessfully);
    }

    [Fact]
    public void Callers_who_have_gone_from_among_others_take_nobodys_place()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 2 });
        lane.Mark(lane.Open("a"));
        lane.Mark(lane.Open("b"));
        lane.Pass();
        var first = Admit(lane);
        var gone = new TaskCompletionSource<bool>();
        lane.Core.Admit(gone);
        var last = Admit(lane);
        gone.SetCanceled(TestContext.Current.CancellationToken);
        lane.SerializeAll();
        lane.Answer(lane.Writes[0]);

        Assert.True(first.IsCompletedSuccessfully && last.IsCompletedSuccessfully);
    }

    [Fact]
    public void Nobody_passes_those_who_wait()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1 });
        var handle = lane.Open("a");
        lane.Mark(handle);
        lane.Pass();
        var first = Admit(lane);
        lane.SerializeAll();
        lane.Answer(lane.Writes[0], WriteOutcomeKind.Conflict);
        Assert.True(first.IsCompletedSuccessfully);
        lane.Mark(lane.Open("b"));
        var waiting = new[] { Admit(lane), Admit(lane) };
        lane.SerializeAll();
        lane.Answer(lane.Writes[0]);

        // There is room for one, and who has come first takes it.
        Assert.Equal([true, false], waiting.Select(caller => caller.IsCompletedSuccessfully));
        Assert.False(lane.Core.IsDoorOpen);
        Assert.False(Admit(lane).IsCompleted);
    }

    [Fact]
    public async Task Those_who_wait_are_turned_away_when_the_lane_stops()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1 });
        lane.Mark(lane.Open("a"));
        var caller = Admit(lane);
        Assert.False(caller.IsCompleted);

        lane.Core.Stop();
        lane.Pass();
        Assert.False(lane.Core.IsDoorOpen);

        await Assert.ThrowsAsync<StoppedException>(() => CoreDriver.Over(caller));
    }

    private static Task<bool> Admit(CoreDriver lane)
    {
        var caller = new TaskCompletionSource<bool>();
        lane.Core.Admit(caller);
        lane.Pass();
        return caller.Task;
    }
}
