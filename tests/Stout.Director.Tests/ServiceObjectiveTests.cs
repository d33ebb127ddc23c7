namespace Stout.Director.Tests;

public sealed class ServiceObjectiveTests
{
    [Theory]
    [InlineData("99 % of reads under 100 ms, over 1 min", 99, 100, 60)]
    [InlineData("99.9% under 2 s over 5 min", 99.9, 2_000, 300)]
    [InlineData("95 % of reads under 50 ms", 95, 50, 60)]
    public void An_objective_is_read_from_words(string text, double percentile, double milliseconds, double seconds)
    {
        var objective = ServiceObjective.Parse(text);
        Assert.Equal((percentile, milliseconds, seconds), (objective.Percentile, objective.Threshold.TotalMilliseconds, objective.Interval.TotalSeconds));
        Assert.Equal(objective, ServiceObjective.Parse(objective.ToString()));
    }

    [Theory]
    [InlineData("99 % of writes under 100 ms")]
    [InlineData("fast")]
    [InlineData("100 % of reads under 100 ms")]
    [InlineData("49 % of reads under 100 ms")]
    [InlineData("99 % of reads under 0 ms")]
    [InlineData("99 % of reads under 2 h")]
    [InlineData("99 % of reads under 100 ms, over 0.5 s")]
    [InlineData("99 % of reads under 9999999999999999999999 h")]
    public void An_objective_out_of_form_or_range_is_refused(string text) => Assert.Throws<InvalidObjectiveException>(() => ServiceObjective.Parse(text));
}
