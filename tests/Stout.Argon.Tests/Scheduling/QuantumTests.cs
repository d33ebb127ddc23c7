using Stout.Argon.Devices;
using Stout.Argon.Scheduling;

namespace Stout.Argon.Tests.Scheduling;

/// <summary>The arithmetic of amortization and quanta.</summary>
public sealed class QuantumTests
{
    // The paper's example: a seek of 5 ms, 10,000 rpm (half a turn takes 3 ms, a turn 6 ms), and tracks of 400 KB.
    private static readonly DeviceCost s_example = new(TimeSpan.FromMilliseconds(5 + 3), 400_000 / 0.006);

    [Theory]
    [InlineData(8 << 10, 0.015)]
    [InlineData(64 << 10, 0.11)]
    public void Efficiency_of_the_papers_example(long bytes, double expected) => Assert.Equal(expected, s_example.Efficiency(bytes), 0.0015);

    [Fact]
    public void Nine_tenths_need_a_transfer_of_nine_times_the_positioning()
    {
        var bytes = s_example.BytesFor(0.9);
        Assert.Equal(9 * s_example.Positioning.TotalSeconds, s_example.Transfer(bytes).TotalSeconds, 6);
        Assert.Equal(0.9, s_example.Efficiency(bytes), 6);
    }

    [Fact]
    public void One_request_in_flight_loses_a_positioning_and_no_drain() =>
        Assert.Equal(s_example.Positioning, QuantumLength.Loss(s_example, 1, TimeSpan.FromMilliseconds(8), 4096));

    [Fact]
    public void A_deeper_queue_that_positions_faster_loses_more_in_its_drain()
    {
        var shallow = QuantumLength.Loss(s_example, 4, TimeSpan.FromMilliseconds(6), 4096);
        var deep = QuantumLength.Loss(s_example, 27, TimeSpan.FromMilliseconds(3.5), 4096);
        Assert.True(s_example.Positioning < shallow && shallow < deep, $"{shallow} {deep}");
        Assert.Equal(10 * deep, QuantumLength.For(deep, 0.9));
    }
}
