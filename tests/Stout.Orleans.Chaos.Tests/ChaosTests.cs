using System.Globalization;
using Stout.Orleans.Chaos.Faults;
using Stout.Orleans.Chaos.Grains;

namespace Stout.Orleans.Chaos.Tests;

/// <summary>
/// Silos are killed, leave and join, lose their store, and a second cluster activates the same grains, while clients write and read documents. Writes and
/// confirmed reads have to be linearizable, and a value that a read from memory has shown must never be lost.
/// </summary>
/// <remarks>
/// The environment variable STOUT_SEED repeats a seed. STOUT_CHAOS_FAULTS and STOUT_CHAOS_REQUESTS set the length of a run. The program
/// tests/Stout.Orleans.Chaos makes such runs with each silo in a process of its own.
/// </remarks>
public sealed class ChaosTests(ITestOutputHelper output)
{
    /// <summary>The part of a verdict's text that reports a violation.</summary>
    private const string NotLinearizable = ": No, ";

    [Fact]
    public async Task Grains_are_linearizable_while_silos_come_and_go_and_grains_are_active_twice()
    {
        var seed = Setting("STOUT_SEED") ?? Random.Shared.Next(1_000_000);
        var options = new ChaosOptions(seed, Setting("STOUT_CHAOS_FAULTS") ?? 20, Setting("STOUT_CHAOS_REQUESTS") ?? 5_000);

        var report = await RunAsync(new ClusterInTest(seed), options);

        Assert.Empty(report.Violations);
        Assert.Empty(report.Undecided);
        Assert.Equal(options.Faults, report.Faults);
        Assert.True(report.Fenced > 0, "No request of a former owner was refused: the run has tested nothing.");
        Assert.True(report.EndSaves > 0, "No grain has saved at its end.");
    }

    /// <summary>Shows that the checks can fail: they find each of these bugs.</summary>
    [Theory]
    [InlineData(PlantedBug.NoClaims, CommonFaults.SecondActivations, "a write of a former owner was acknowledged")]
    [InlineData(PlantedBug.UnconfirmedReads, CommonFaults.SecondActivations, NotLinearizable)]
    [InlineData(PlantedBug.RepliesEarly, CommonFaults.SecondActivations, "is lost")]
    [InlineData(PlantedBug.IgnoresOwner, CommonFaults.SecondActivations, NotLinearizable)]
    [InlineData(PlantedBug.SkipsDrain, CommonFaults.Leaves, "which a grain saved when its silo left, is lost")]
    public async Task Planted_bug_is_found(PlantedBug bug, string fault, string violation)
    {
        for (var seed = 1; seed <= 4; seed++)
        {
            var report = await RunAsync(new ClusterInTest(seed, bug), new ChaosOptions(seed, Faults: 3, Requests: 3_000) { Fault = fault });
            if (report.Violations.Any(found => found.Contains(violation, StringComparison.Ordinal)))
                return;
        }

        Assert.Fail("No run has found the bug.");
    }

    private async Task<ChaosReport> RunAsync(ClusterInTest cluster, ChaosOptions options)
    {
        await using (cluster)
        {
            var report = await ChaosRun.RunAsync(cluster, options);
            output.WriteLine(report.Figures);
            foreach (var violation in report.Violations.Take(2))
                output.WriteLine(violation[..Math.Min(violation.Length, 2_000)]);
            return report;
        }
    }

    private static int? Setting(string name) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text ? int.Parse(text, CultureInfo.InvariantCulture) : null;
}
