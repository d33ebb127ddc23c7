using Linearizability;
using Replicas.Tests.Torture;
using ReplicaUnderTest;

namespace Replicas.Tests.Expiry;

/// <summary>
/// Several replicas whose objects expire, while replicas and the server are killed. The replicas' clocks differ and jump within the stated skew, and every
/// replica sweeps. A value must be seen until it expires by the reader's clock, and not from then on. No sweep may undo a renewal.
/// </summary>
/// <remarks>STOUT_SEED repeats a seed. STOUT_TORTURE_REQUESTS and STOUT_TORTURE_FAULTS make the run longer.</remarks>
[Collection(nameof(OneServer))]
public sealed class ExpiryTests(DatabaseServer server, ITestOutputHelper output)
{
    // Long enough for several sweeps: each replica sweeps once a second.
    private static readonly TimeSpan SomeSweeps = TimeSpan.FromSeconds(5);

    [Fact]
    public async Task Values_are_seen_until_they_expire_while_replicas_and_the_server_are_killed_and_clocks_jump()
    {
        var options = new TortureOptions(
            TortureOptions.Setting("STOUT_SEED") ?? Random.Shared.Next(1_000_000), TortureOptions.Setting("STOUT_TORTURE_REQUESTS") ?? 8_000, TortureOptions.Setting("STOUT_TORTURE_FAULTS") ?? 8) { Lasts = SomeSweeps };

        var report = await ExpiryRun.RunAsync(options, server.Script);

        output.WriteLine(report.Figures);
        Assert.Empty(report.Violations);
        Assert.Empty(report.Errors);
        Assert.Equal(0, report.Left);
        Assert.NotEqual(0, report.Swept);
    }

    [Theory]
    [InlineData(nameof(PlantedBug.LateClock))]
    [InlineData(nameof(PlantedBug.SweepIgnoresSkew))]
    [InlineData(nameof(PlantedBug.SweepIgnoresStamp))]
    public async Task Planted_bug_is_found(string bug)
    {
        for (var seed = 1; seed <= 3; seed++)
        {
            var report = await ExpiryRun.RunAsync(new TortureOptions(seed, Operations: 3_000, Faults: 0, Enum.Parse<PlantedBug>(bug)) { Lasts = SomeSweeps }, server.Script);
            output.WriteLine(report.Figures);
            if (report.Violations.FirstOrDefault(verdict => verdict.Result == Linearizable.No) is { } violation)
            {
                output.WriteLine($"{violation}");
                return;
            }
        }

        Assert.Fail("No run has found the bug.");
    }
}
