using ReplicaUnderTest;

namespace Replicas.Tests.Torture;

/// <summary>
/// Several replicas write the same objects on one PostgreSQL server without owners, and retry on conflict. Replicas are killed, stopped and suspended,
/// the server is killed, connections are cut; the recorded history has to be linearizable.
/// </summary>
/// <remarks>
/// STOUT_SEED repeats a seed. STOUT_TORTURE_REQUESTS and STOUT_TORTURE_FAULTS make the run longer.
/// </remarks>
[Collection(nameof(OneServer))]
public sealed class ReplicaTests(DatabaseServer server, ITestOutputHelper output)
{
    [Fact]
    public async Task Replicas_that_retry_on_conflict_are_linearizable_while_they_and_the_server_are_killed()
    {
        var options = new TortureOptions(
            TortureOptions.Setting("STOUT_SEED") ?? Random.Shared.Next(1_000_000), TortureOptions.Setting("STOUT_TORTURE_REQUESTS") ?? 6_000, TortureOptions.Setting("STOUT_TORTURE_FAULTS") ?? 10);

        var report = await RunAsync(options);

        Assert.Empty(report.Violations);
        Assert.Empty(report.WrongCounters);
        Assert.Empty(report.Errors);
        Assert.Empty(report.Undecided);
    }

    [Theory]
    [InlineData(nameof(PlantedBug.RepeatsUnknown))]
    [InlineData(nameof(PlantedBug.ReadsMemory))]
    [InlineData(nameof(PlantedBug.AnswersEarly))]
    public async Task Planted_bug_is_found(string bug)
    {
        for (var seed = 1; seed <= 3; seed++)
        {
            var report = await RunAsync(new TortureOptions(seed, Operations: 2_000, Faults: 1, Enum.Parse<PlantedBug>(bug), CutOneIn: 60));
            if (report.Violations.FirstOrDefault() is { } violation)
            {
                output.WriteLine($"{violation}");
                return;
            }
        }

        Assert.Fail("No run has found the bug.");
    }

    private async Task<TortureReport> RunAsync(TortureOptions options)
    {
        var report = await TortureRun.RunAsync(options, server.Script, server.Folder);
        output.WriteLine(report.Figures);
        foreach (var wrong in report.WrongCounters)
            output.WriteLine(wrong);
        return report;
    }
}
