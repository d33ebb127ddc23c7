using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Tests.Simulated;

public sealed class LoadTraceTests
{
    private static readonly DateTime First = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    [Fact]
    public void Means_are_taken_over_steps()
    {
        var trace = Read("2026-01-01 00:00:00,1", "2026-01-01 00:01:00,3", "2026-01-01 00:02:00,5", "2026-01-01 00:03:00,7");
        Assert.Equal([2, 6], trace.Means(First, 4, 2));
    }

    [Fact]
    public void A_gap_is_an_error_for_a_time_that_contains_it()
    {
        var trace = Read("2026-01-01 00:00:00,1", "2026-01-01 00:02:00,3", "2026-01-01 00:03:00,3");
        var error = Assert.Throws<LoadFileException>(() => trace.Means(First, 3, 1));
        Assert.Contains("00:01", error.Message, StringComparison.Ordinal);
        Assert.Equal([3, 3], trace.Means(First.AddMinutes(2), 2, 1));
        Assert.Throws<LoadFileException>(() => trace.Means(First, 5, 1));
    }

    [Theory]
    [InlineData("2026-01-01 00:00:00,1", "2026-01-01 00:00:00,1")]
    [InlineData("2026-01-01 00:01:00,1", "2026-01-01 00:00:00,1")]
    [InlineData("2026-01-01 00:00:00,-1", "")]
    [InlineData("2026-01-01,1", "")]
    [InlineData("2026-01-01 00:00:00,1", "2028-01-01 00:00:00,1")]
    public void Lines_of_another_form_or_order_are_refused(string first, string second) => Assert.Throws<LoadFileException>(() => Read(first, second));

    [Fact]
    public void A_file_of_another_form_is_refused()
    {
        Assert.Throws<LoadFileException>(() => LoadTrace.Read(new StringReader("time;load\n")));
        Assert.Throws<LoadFileException>(() => LoadTrace.Read(new StringReader("minute,requests\n")));
    }

    private static LoadTrace Read(params string[] lines) => LoadTrace.Read(new StringReader("minute,requests\n" + string.Join('\n', lines) + "\n"));
}
