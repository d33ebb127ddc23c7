namespace Stout.Experiments.Tests.Experiments;

public sealed class CostTests
{
    [Fact]
    public async Task Memory_saves_reads_batches_save_transactions_and_collapsing_saves_writes()
    {
        var table = (await BriefRun.OfAsync("cost")).Result.Table;
        double At(int documents, double rate, string service, string column) => Convert.ToDouble(
            table.Rows.Single(row => row[0] is int number && number == documents && row[1] is double load && load == rate && row[2] is string name && name == service)[table.IndexOf(column)],
            System.Globalization.CultureInfo.InvariantCulture);

        // Of 1,000 requests, 500 are reads at one request unit, and 500 are writes at five.
        Assert.Equal(3_000, At(64_000, 24_000, "no cache, no Stout", "requestUnits"));
        Assert.Equal(2_500, At(64_000, 24_000, "cache, no Stout", "requestUnits"));
        Assert.Equal(1_000, At(64_000, 24_000, "no cache, no Stout", "tableTransactions"));

        Assert.InRange(At(64_000, 24_000, "Stout", "tableTransactions"), 10, 250);
        // With many documents, few changes collapse with another change of the same document. With 100 documents nearly all of them do.
        Assert.InRange(At(64_000, 24_000, "Stout", "requestUnits"), 2_200, 2_600);
        Assert.InRange(At(100, 24_000, "Stout", "requestUnits"), 10, 1_250);
    }
}
