using Stout.Director.Loads;

namespace Stout.Director.Tests.Loads;

public sealed class ReportCollectorTests
{
    private static readonly int[][] Pair = [[1, 2], [1, 2]];
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(20);

    private readonly ReportCollector _collector = new(Some.Settings(2));

    [Fact]
    public void Visits_at_all_replicas_become_the_clients_rates()
    {
        Assert.Equal(2, _collector.Add(Period, Some.Cluster(2, Pair, [100, 30], [5, 1])));
        Assert.Equal([new(100, 5), new(30, 1)], _collector.Rates);
    }

    [Fact]
    public void A_missing_report_is_no_missing_load()
    {
        _collector.Add(Period, Some.Cluster(2, Pair, [100, 30], [5, 1], silent: [2]));
        Assert.Equal([new(100, 5), new(30, 1)], _collector.Rates);
        Assert.False(_collector.IsHeard(2));
    }

    [Fact]
    public void Without_any_report_the_last_rates_hold()
    {
        _collector.Add(Period, Some.Cluster(2, Pair, [100, 30]));
        Assert.Equal(0, _collector.Add(Period * 2, Some.Cluster(2, Pair, [1, 1], silent: [1, 2])));
        Assert.Equal([new(100, 0), new(30, 0)], _collector.Rates);
        Assert.False(_collector.IsSilent(1, Period * 2));
        _collector.Add(Period * 3, Some.Cluster(2, Pair, [1, 1], silent: [1, 2]));
        Assert.True(_collector.IsSilent(1, Period * 3));
    }

    [Fact]
    public void A_repeated_or_overtaken_report_does_not_count()
    {
        _collector.Add(Period, Some.Cluster(2, Pair, [100, 30], sequence: 5));
        Assert.Equal(0, _collector.Add(Period * 2, Some.Cluster(2, Pair, [1, 1], sequence: 5)));
        Assert.Equal(0, _collector.Add(Period * 2, Some.Cluster(2, Pair, [1, 1], sequence: 4)));
        Assert.Equal(100, _collector.Rates[0].Gets);
    }

    [Fact]
    public void A_report_of_long_ago_does_not_count()
    {
        var cluster = Some.Cluster(2, Pair, [100, 30]);
        Assert.Equal(0, _collector.Add(Period, cluster with { Reports = [.. cluster.Reports.Select(report => report with { Age = Period * 3 })] }));
    }

    [Fact]
    public void A_bin_that_does_not_exist_is_an_error()
    {
        var cluster = Some.Cluster(2, Pair, [100, 30]);
        Assert.Throws<UnknownBinException>(() => _collector.Add(Period, cluster with { Reports = [new ServerReport(1, 9, TimeSpan.Zero, [new BinVisits(2, 1, 1)])] }));
    }
}
