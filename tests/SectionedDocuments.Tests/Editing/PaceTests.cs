using Authors.Editing;
using Authors.Replay;

namespace SectionedDocuments.Tests.Editing;

public sealed class PaceTests
{
    [Fact]
    public void Pauses_are_cut_to_a_second_and_backward_steps_count_as_nothing() =>
        Assert.Equal([0, 0.2, 1.2, 1.2, 1.7], Starts(0, 0.2, 500, 499, 499.5));

    [Fact]
    public void A_history_that_recorded_no_times_runs_at_five_keystrokes_a_second() =>
        Assert.Equal([0, 0.2, 0.4, 0.6], Starts(0, 0, 0, 0).Select(start => Math.Round(start, 6)));

    [Theory]
    [InlineData("max", null)]
    [InlineData("10", 10.0)]
    [InlineData("0.5", 0.5)]
    public void A_speed_is_a_number_or_max(string text, double? speed) => Assert.Equal(speed, Pace.Parse(text).Speed);

    [Theory]
    [InlineData("0")]
    [InlineData("-1")]
    [InlineData("fast")]
    [InlineData("∞")]
    [InlineData("NaN")]
    public void Another_speed_is_an_error(string text) => Assert.Throws<FormatException>(() => Pace.Parse(text));

    private static IEnumerable<double> Starts(params double[] seconds) => Pace
        .RecordedStarts(new EditingHistory("x", "", "", [.. seconds.Select(s => new Keystroke(DateTimeOffset.UnixEpoch.AddSeconds(s), []))]))
        .Select(start => start.TotalSeconds);
}
