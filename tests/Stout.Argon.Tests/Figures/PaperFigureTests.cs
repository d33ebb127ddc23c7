using Stout.Argon.Configuration;
using Stout.Argon.Experiments.Figures;

namespace Stout.Argon.Tests.Figures;

/// <summary>The paper's figures on the model of its disk. Each fraction is of the throughput that the service has alone on the same server.</summary>
public sealed class PaperFigureTests
{
    [Fact]
    public void Two_streams_keep_half_where_each_had_a_ninth()
    {
        Assert.All(PaperFigures.TwoStreams.Uninsulated(), row => Assert.InRange(row.Fraction, 0, 0.15));
        Assert.All(PaperFigures.TwoStreams.Insulated(), row => Assert.InRange(row.Fraction, 0.45, 0.55));
    }

    [Fact]
    public void A_stream_on_another_disk_takes_no_hits_from_cached_reads()
    {
        var without = PaperFigures.CachedAndStream.Uninsulated()[0];
        Assert.InRange(without.Together.Absorbed, 0, without.Alone.Absorbed / 2);
        var with = PaperFigures.CachedAndStream.Insulated();
        Assert.All(with, row => Assert.True(row.Fraction >= 0.9, $"{row.Together.Name}: {row.Fraction}"));
        Assert.All(with, row => Assert.Equal(ServiceStatus.Insulated, row.Together.Status));
    }

    [Fact]
    public void One_request_in_flight_keeps_half_beside_27()
    {
        Assert.InRange(PaperFigures.Concurrency.Uninsulated()[1].Fraction, 0, 0.05);
        Assert.All(PaperFigures.Concurrency.Insulated(), row => Assert.InRange(row.Fraction, 0.45, 0.55));
    }

    [Fact]
    public void Shares_divide_the_disks_time_whichever_service_has_more_in_flight()
    {
        foreach (var figure in new[] { PaperFigures.SharesForMany, PaperFigures.SharesForOne })
        {
            var rows = figure.Insulated();
            var all = rows.Sum(row => row.Together.DiskTime);
            for (var i = 0; i < rows.Count; i++)
            {
                Assert.InRange(rows[i].Together.DiskTime / all, figure.Share(i) - 0.02, figure.Share(i) + 0.02);
                Assert.True(rows[i].Fraction >= 0.9 * figure.Share(i), $"{rows[i].Together.Name}: {rows[i].Fraction}");
            }
        }
    }

    [Fact]
    public void A_stream_and_random_reads_keep_half_each() =>
        Assert.All(PaperFigures.StreamAndRandom.Insulated(), row => Assert.InRange(row.Fraction, 0.45, 0.55));

    [Fact]
    public void Order_entry_and_a_query_keep_half_each_by_all_three_mechanisms_and_by_none_alone()
    {
        foreach (var (name, set) in Mechanisms.All.Where(each => !each.Name.Contains('+', StringComparison.Ordinal) || each.Name.Split('+').Length == 3))
        {
            var least = Mechanisms.Run(PaperFigures.OltpAndQuery, set).Min(row => row.Fraction);
            Assert.True(least >= 0.45 == name.Contains('+', StringComparison.Ordinal), $"{name}: {least}");
        }
    }

    [Fact]
    public void Four_services_keep_a_quarter_each()
    {
        var rows = PaperFigures.Four.Insulated();
        Assert.All(rows, row => Assert.True(row.Fraction >= 0.225, $"{row.Together.Name}: {row.Fraction}"));
        Assert.All(rows, row => Assert.Equal(ServiceStatus.Insulated, row.Together.Status));
    }
}
