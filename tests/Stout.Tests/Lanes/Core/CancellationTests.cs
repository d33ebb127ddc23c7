using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>A caller's cancellation is an input of the core. A caller that has gone takes no handle, and leaves no handle open.</summary>
public sealed class CancellationTests
{
    private static readonly Stamp Stored = new(1, Guid.NewGuid(), 1);

    private readonly CoreDriver _lane = new();

    [Fact]
    public void A_handle_is_closed_whose_only_caller_goes_in_the_instant_of_the_reads_end()
    {
        var gone = Read("a");
        Assert.True(gone.TryCancel(TestContext.Current.CancellationToken));
        _lane.EndDeserialize(_lane.Deserializing[0]);

        Assert.Equal(0, _lane.Core.GetStatistics().OpenKeys);
    }

    [Fact]
    public async Task The_next_caller_of_a_key_that_nobody_took_reads_it()
    {
        var gone = Read("a");
        Assert.True(gone.TryCancel(TestContext.Current.CancellationToken));
        _lane.EndDeserialize(_lane.Deserializing[0]);
        // The news of the cancellation comes after the next caller.
        var next = Read("a");
        _lane.Core.Cancel(gone);
        _lane.EndDeserialize(_lane.Deserializing[0]);

        var opened = await CoreDriver.Over(next.Task);
        Assert.IsType<OpenedKey.Read>(opened);
        Assert.False(opened.Handle.IsClosed);
    }

    [Fact]
    public async Task A_handle_that_another_caller_took_stays_open()
    {
        var gone = _lane.Fill("a");
        var stays = Read("a");
        Assert.True(gone.TryCancel(TestContext.Current.CancellationToken));
        _lane.EndDeserialize(_lane.Deserializing[0]);
        _lane.Core.Cancel(gone);

        Assert.False((await CoreDriver.Over(stays)).IsClosed);
    }

    [Fact]
    public void A_read_whose_callers_have_all_gone_is_cancelled_at_once()
    {
        var gone = _lane.Fill("a");
        _lane.Pass();
        _lane.Core.Cancel(gone);

        Assert.Contains(_lane.Core.Commands, command => command.Kind == LaneCommandKind.CancelRead);
        Assert.Equal(0, _lane.Core.GetStatistics().OpenKeys);
    }

    [Fact]
    public void Room_that_was_reserved_for_a_caller_that_has_gone_is_free_at_once()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = 1 });
        lane.Mark(lane.Open("a"));
        lane.Pass();
        var (gone, next) = (new AdmissionCall(changesSomething: true), new AdmissionCall(changesSomething: true));
        lane.Core.Admit(gone, lane.Now);
        lane.Core.Admit(next, lane.Now);
        Assert.True(gone.TryCancel(TestContext.Current.CancellationToken));
        lane.SerializeAll();
        lane.Answer(lane.Writes[0]);
        lane.Pass();

        Assert.True(next.Task.IsCompletedSuccessfully);
    }

    private FillCall Read(string key)
    {
        var request = _lane.Fill(key);
        _lane.Pass();
        _lane.Answer(_lane.Reads[^1], _ => ReadOutcome.Found(Stored, []));
        return request;
    }
}
