using Authors.Editing;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Tests.Live;

public sealed class HistoryCutTests
{
    private static readonly EditingHistory History = new(
        "letter", "ab", "aXYZ", [.. new[] { new Patch(1, 1, "X"), new Patch(2, 0, "Y"), new Patch(3, 0, "Z") }.Select((patch, i) => new Keystroke(DateTimeOffset.UnixEpoch.AddSeconds(0.5 * i), [patch]))]);

    [Fact]
    public void It_ends_with_the_text_that_its_last_keystroke_leaves()
    {
        var cut = HistoryCut.Of(History, TimeSpan.FromSeconds(0.5));
        Assert.Equal("aXY", cut.EndContent);
        Assert.Equal(2, cut.Keystrokes.Count);
    }

    [Fact]
    public void A_history_that_is_over_by_then_stays_itself() => Assert.Same(History, HistoryCut.Of(History, TimeSpan.FromSeconds(1)));
}
