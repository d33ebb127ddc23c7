using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Paper;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>Callers wait for admission while a bound on load is reached.</summary>
public sealed class AdmissionControlTests
{
    [Fact]
    public void Callers_wait_while_too_many_keys_are_dirty_and_come_in_as_there_is_room()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 2 });
        var (a, b) = (lane.Open("a"), lane.Open("b"));
        Assert.True(lane.Core.IsAdmissionOpen);
        lane.Mark(a);
        lane.Mark(b);
        Assert.False(lane.Core.IsAdmissionOpen);
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
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1, OverloadBehavior = OverloadBehavior.Fail });
        lane.Mark(lane.Open("a"));

        var failure = await Assert.ThrowsAsync<OverloadException>(() => CoreDriver.Over(Admit(lane)));

        Assert.Equal(TimeSpan.FromMilliseconds(50), failure.RetryAfter); // The default of MinRetryDelay, since the law's interval is 0.
    }

    [Fact]
    public void Callers_who_have_gone_take_nobodys_place()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1 });
        lane.Mark(lane.Open("a"));
        lane.Pass();
        var gone = new AdmissionCall(changesSomething: true);
        lane.Core.Admit(gone, lane.Now);
        lane.Cancel(gone);
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
        var gone = new AdmissionCall(changesSomething: true);
        lane.Core.Admit(gone, lane.Now);
        var last = Admit(lane);
        lane.Cancel(gone);
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

        // There is room for one, and the first caller takes it.
        Assert.Equal([true, false], waiting.Select(caller => caller.IsCompletedSuccessfully));
        Assert.False(lane.Core.IsAdmissionOpen);
        Assert.False(Admit(lane).IsCompleted);
    }

    [Fact]
    public void Callers_that_have_gone_keep_no_memory_behind_a_patient_one()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1 });
        var admission = new AdmissionControl(new StoutOptions { MaxDirtyKeys = 1 }, BusyMap(lane), [], TimeSpan.FromSeconds(30));
        admission.Admit(new AdmissionCall(changesSomething: true), TimeSpan.Zero, lane.Now);
        for (var i = 0; i < 100_000; i++)
        {
            var gone = new AdmissionCall(changesSomething: true);
            admission.Admit(gone, TimeSpan.Zero, lane.Now);
            admission.Cancel(gone);
        }

        Assert.InRange(admission.Waiting, 1, 512);
    }

    [Fact]
    public async Task A_caller_waits_for_admission_no_longer_than_a_change_waits_to_be_sent()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1, CallbackTimeout = TimeSpan.FromHours(1) });
        lane.Mark(lane.Open("a"));
        lane.Pass();
        var first = Admit(lane);
        lane.PassAsALane(10_000);
        var second = Admit(lane);
        lane.PassAsALane(19_999);
        Assert.False(first.IsCompleted);

        lane.PassAsALane(1);

        await Assert.ThrowsAsync<OverloadException>(() => CoreDriver.Over(first));
        Assert.False(second.IsCompleted);
    }

    [Fact]
    public void Room_that_an_admitted_caller_does_not_use_is_the_next_ones()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1 });
        lane.Mark(lane.Open("a"));
        lane.Pass();
        var callers = new[] { Admit(lane), Admit(lane), Admit(lane) };
        lane.SerializeAll();
        lane.Answer(lane.Writes[0]);
        Assert.Equal([true, false, false], callers.Select(caller => caller.IsCompletedSuccessfully));

        // The first admitted caller reports that it changes nothing. The second one reports nothing, so its room is free after `Turn`.
        lane.Core.EndAdmission();
        lane.Pass();
        Assert.Equal([true, true, false], callers.Select(caller => caller.IsCompletedSuccessfully));
        lane.PassAsALane(AdmissionControl.Turn.TotalMilliseconds);

        Assert.True(callers[2].IsCompletedSuccessfully);
        Assert.True(lane.Core.IsAdmissionOpen);
    }

    [Fact]
    public void Callers_that_fill_take_no_room()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1 });
        lane.Mark(lane.Open("a"));
        lane.Pass();
        var callers = Enumerable.Range(0, 5).Select(i => Admit(lane, toChange: i == 4)).ToArray();
        Assert.All(callers, caller => Assert.False(caller.IsCompleted));
        lane.SerializeAll();
        lane.Answer(lane.Writes[0]);

        Assert.All(callers, caller => Assert.True(caller.IsCompletedSuccessfully));
    }

    [Fact]
    public void One_answer_admits_as_many_as_it_makes_room_for_in_bytes()
    {
        var lane = new CoreDriver(new StoutOptions { MaxUndurableBytes = 1000 });
        lane.Law.MaxBatchKeys = 1;
        for (var i = 0; i < 10; i++)
            lane.Mark(lane.Open($"key {i}"));
        lane.Pass();
        while (lane.Writes.Count < 10)
        {
            lane.PassAsALane(20);
            lane.SerializeAll(bytes: 100);
        }

        var callers = Enumerable.Range(0, 5).Select(_ => Admit(lane)).ToArray();
        Assert.All(callers, caller => Assert.False(caller.IsCompleted));
        lane.Answer(lane.Writes[0]);
        lane.Answer(lane.Writes[0]);

        Assert.Equal([true, true, false, false, false], callers.Select(caller => caller.IsCompletedSuccessfully));
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
        Assert.False(lane.Core.IsAdmissionOpen);

        await Assert.ThrowsAsync<StoppedException>(() => CoreDriver.Over(caller));
    }

    private static DependencyMap BusyMap(CoreDriver lane)
    {
        var map = new DependencyMap([]);
        map.Announce(lane.Open("busy"), SubKey.Root, MarkedPart.Dirty, lane.Now);
        return map;
    }

    private static Task<bool> Admit(CoreDriver lane, bool toChange = true)
    {
        var caller = new AdmissionCall(toChange);
        lane.Core.Admit(caller, lane.Now);
        lane.Pass();
        return caller.Task;
    }
}
