using System.Globalization;
using System.Net;
using SectionedDocuments.Tests.Processes;

namespace Samples.Tests.Orleans;

/// <summary>A cluster of three silos on PostgreSQL loses one silo by SIGKILL, and another one by a stop.</summary>
[Collection(nameof(Alone))]
public sealed class SiloLossTests(SharedDatabase database, ITestOutputHelper output) : IClassFixture<SharedDatabase>
{
    private const int Writers = 8;
    private const int Documents = 4;
    private const int Edits = 40;

    private static readonly string[] Membership =
        ["--OrleansDocuments:MissedProbes=3", "--OrleansDocuments:LossPatience=00:01:00"];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Every_request_succeeds_when_silos_are_lost_and_nothing_acknowledged_goes()
    {
        Assert.SkipWhen(database.WhyNot is not null, database.WhyNot ?? "");
        using var cluster = await SiloCluster.StartAsync(3, database.ConnectionString, Membership);
        await WriteAllAsync(cluster, 0, Edits, () => { });
        var before = await Place.OfAsync(cluster.Silos[0], "document 0");
        Assert.Equal(0, before.Moves);

        // First a silo is killed, so the cluster must detect the loss.
        var killed = await cluster.FindAsync(before.Silo);
        await WriteAllAsync(cluster, Edits, 2 * Edits, killed.Program.Kill);
        cluster.Remove(killed);
        var after = await Place.OfAsync(cluster.Silos[0], "document 0");
        output.WriteLine($"killed: {before}, then {after}");
        Assert.NotEqual(before.Silo, after.Silo);
        Assert.InRange(after.Epoch, before.Epoch + 1, before.Epoch + 5);
        Assert.Equal(1, after.Moves);
        await AssertTextsAsync(cluster, 2 * Edits);

        // Then a silo is stopped, so it leaves the cluster by itself.
        var stopped = await cluster.FindAsync(after.Silo);
        await WriteAllAsync(cluster, 2 * Edits, 3 * Edits, stopped.Program.Terminate);
        Assert.Equal(0, await stopped.Program.ExitAsync());
        cluster.Remove(stopped);
        var last = await Place.OfAsync(cluster.Silos[0], "document 0");
        output.WriteLine($"stopped: {last}");
        Assert.NotEqual(after.Silo, last.Silo);
        Assert.True(last.Epoch > after.Epoch);
        await AssertTextsAsync(cluster, 3 * Edits);
    }

    /// <summary>Lets each writer edit its own section, with the next silo for each edit. An edit starts after the one before is acknowledged.</summary>
    private static async Task WriteAllAsync(SiloCluster cluster, int first, int end, Action inTheMiddle)
    {
        var left = Writers * (end - first) / 2;
        await Task.WhenAll(Enumerable.Range(0, Writers).Select(async writer =>
        {
            for (var edit = first + 1; edit <= end; edit++)
            {
                var text = edit.ToString(CultureInfo.InvariantCulture);
                using var answer = await cluster.SendAsync(writer + edit, http => http.PutAsync(PathOf(writer), new StringContent(text), Cancellation));
                Assert.True(answer.StatusCode == HttpStatusCode.NoContent, await answer.Content.ReadAsStringAsync(Cancellation));
                if (Interlocked.Decrement(ref left) == 0)
                    inTheMiddle();
            }
        }));
    }

    private static async Task AssertTextsAsync(SiloCluster cluster, int edit)
    {
        foreach (var silo in cluster.Silos)
        {
            for (var writer = 0; writer < Writers; writer++)
                Assert.Equal(edit.ToString(CultureInfo.InvariantCulture), await silo.Http.GetStringAsync(PathOf(writer), Cancellation));
        }
    }

    private static string PathOf(int writer) => RunningService.PathOf($"document {writer % Documents}", $"section {writer}");
}
