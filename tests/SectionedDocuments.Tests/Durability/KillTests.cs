using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Durability;

public sealed class KillTests(ITestOutputHelper output) : IDisposable
{
    private const int Clients = 64;
    private const int Documents = 16;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Nothing_acknowledged_is_lost_when_the_service_is_killed_twenty_times_under_load()
    {
        const int Kills = 20;
        const int InFlight = 15;
        var random = Seeded(TestSeed());
        var writers = new Writers(Clients, Documents);
        var (kill, caughtInFlight) = (0, 0);

        // On a machine with a fast disk, few kills come while a batch is in flight, so more of them may be needed.
        while (kill < Kills || (caughtInFlight < InFlight && kill < 2 * Kills))
        {
            kill++;
            var after = random.Next(550, 1200);
            var inFlight = await LoadAndKillAsync(writers, after);
            caughtInFlight += inFlight > 0 ? 1 : 0;
            output.WriteLine($"kill {kill}: after {after} acknowledgements, {inFlight} batches in flight");

            using var restarted = await StartAsync();
            Assert.Empty(await writers.FindLossesAsync(restarted));
        }

        output.WriteLine($"{writers.Acknowledgements} acknowledgements, a batch in flight at {caughtInFlight} of {kill} kills");
        Assert.True(writers.Acknowledgements >= 10_000, $"{writers.Acknowledgements} acknowledgements are too few to tell.");
        Assert.True(caughtInFlight >= InFlight, $"A batch was in flight at only {caughtInFlight} kills.");
    }

    [Fact]
    public async Task A_store_that_acknowledges_before_it_has_written_is_caught()
    {
        const int Kills = 10;
        var random = Seeded(TestSeed());
        var writers = new Writers(Clients, Documents);
        for (var kill = 1; kill <= Kills; kill++)
        {
            await LoadAndKillAsync(writers, random.Next(550, 1200), "--Test:AnswerEarly=true");
            using var restarted = await StartAsync();
            var losses = await writers.FindLossesAsync(restarted);
            if (losses.Count > 0)
            {
                output.WriteLine($"kill {kill}: {losses.Count} sections, {losses[0]}");
                return;
            }
        }

        Assert.Fail($"{Kills} kills, and none showed that the store lies.");
    }

    private async Task<long> LoadAndKillAsync(Writers writers, int acknowledgements, params string[] arguments)
    {
        var counters = _folder.File("counters");
        using var service = await StartAsync([$"--Test:Counters={counters}", .. arguments]);
        await writers.WriteUntilKilledAsync(service, acknowledgements, service.Program.Kill);
        await service.Program.ExitAsync();
        return BatchesInFlight.Read(counters);
    }

    private Task<RunningService> StartAsync(params string[] arguments) =>
        RunningService.StartWatchedAsync(_folder, ["--Stout:Pacing:Law=NoBatching", .. arguments]);

    /// <summary>The seed of the run: random, or the value of STOUT_SEED.</summary>
    private static int TestSeed() =>
        int.TryParse(Environment.GetEnvironmentVariable("STOUT_SEED"), out var seed) ? seed : Random.Shared.Next();

    private Random Seeded(int seed)
    {
        output.WriteLine($"STOUT_SEED={seed}");
        return new Random(seed);
    }
}
