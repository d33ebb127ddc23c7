using Stout.Argon.Experiments.Figures;

namespace Stout.Argon.Tests.Figures;

/// <summary>Devices without a seek: services share flash at once, and keep what they have without insulation.</summary>
public sealed class ParallelFigureTests
{
    public static TheoryData<string> Names => [.. ParallelFigures.All.Select(figure => figure.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Services_keep_their_share(string name)
    {
        var figure = ParallelFigures.All.Single(figure => figure.Name == name);
        var rows = figure.Insulated();
        for (var i = 0; i < rows.Count; i++)
            Assert.True(rows[i].Fraction >= 0.9 * figure.Share(i), $"{rows[i].Together.Name}: {rows[i].Fraction:0.000}");
    }

    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    public void Random_readers_on_flash_keep_nine_tenths_of_what_they_have_without_insulation(int count)
    {
        var figure = count == 2 ? ParallelFigures.TwoReaders : ParallelFigures.EightReaders;
        var (with, without) = (figure.Insulated(), figure.Uninsulated());
        for (var i = 0; i < count; i++)
            Assert.InRange(with[i].Together.Throughput / without[i].Together.Throughput, 0.9, 2);
    }

    [Fact]
    public void A_lone_reader_beside_a_stream_on_flash_has_three_times_its_response_time_alone_at_the_99th_percentile()
    {
        var row = ParallelFigures.FlashStream.Insulated()[0];
        double At(IReadOnlyList<double> latencies) => latencies[(int)(0.99 * latencies.Count)];
        Assert.True(At(row.Together.Latencies) <= 3 * At(row.Alone.Latencies), $"{At(row.Together.Latencies)} s; {At(row.Alone.Latencies)} s alone");
    }
}
