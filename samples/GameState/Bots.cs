using Stout;
using Stout.Documents;

namespace GameState;

/// <summary>
/// Simulated players: each walks about, picks something up now and then, and hits the dragon. The setting <c>Bots</c> is their number.
/// </summary>
internal sealed partial class Bots(
    DocumentCollection<PlayerPart> players,
    DocumentCollection<Tally> raids,
    DocumentStore store,
    IConfiguration configuration,
    ILogger<Bots> logger) : BackgroundService
{
    private const string Dragon = "dragon";
    private const long DragonHealth = 1_000_000_000;
    private static readonly string[] Things = ["apple", "rope", "sword", "torch"];
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private int _begun;
    private int _failures;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var count = configuration.GetValue<int>("Bots");
        if (count == 0)
            return;
        try
        {
            if (await raids.ShowAsync(Dragon, stoppingToken) is not { Health: > 0 })
                await raids.BeginAsync(Dragon, DragonHealth, stoppingToken);
            await Task.WhenAll([ReportAsync(stoppingToken), .. Enumerable.Range(0, count).Select(number => PlayAsync(number, count, stoppingToken))]);
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            // The host stops. A change that a bot has begun becomes durable all the same.
        }
    }

    /// <summary>Takes about one step a second. The next step begins after the one before is durable.</summary>
    private async Task PlayAsync(int number, int count, CancellationToken stopping)
    {
        var random = new Random(number);
        var id = $"bot-{number}";
        await Task.Delay(Second * random.NextDouble(), stopping);
        for (var step = 0; ; step++)
        {
            try
            {
                await players.MoveAsync(id, random.Next(-1, 2), random.Next(-1, 2), stopping);
                if (random.Next(10) == 0)
                    await players.TakeAsync(id, Things[random.Next(Things.Length)], stopping);
                if (random.Next(5) == 0)
                    await raids.AttackAsync(Dragon, id, random.Next(1, 20), stopping);
                if (step == 0 && Interlocked.Increment(ref _begun) == count)
                    LogBegun(count);
            }
            catch (StoutException)
            {
                Interlocked.Increment(ref _failures); // The store may be unreachable, for example. The next step tries again.
            }

            await Task.Delay(Second * (0.5 + random.NextDouble()), stopping);
        }
    }

    /// <summary>Reports the changes and writes of the last second, as long as there are bots.</summary>
    private async Task ReportAsync(CancellationToken stopping)
    {
        using var clock = new PeriodicTimer(Second);
        for (var before = store.GetStatistics(); await clock.WaitForNextTickAsync(stopping);)
        {
            var now = store.GetStatistics();
            LogSecond(now.Changes - before.Changes, now.KeysWritten - before.KeysWritten, now.WriteRequests - before.WriteRequests);
            if (Interlocked.Exchange(ref _failures, 0) is var failures and > 0)
                LogTrouble(failures);
            before = now;
        }
    }

    [LoggerMessage(1, LogLevel.Information, "All {Count} bots play")]
    private partial void LogBegun(int count);

    [LoggerMessage(2, LogLevel.Information, "In a second: {Changes} changes, {Objects} objects written, {Requests} write requests")]
    private partial void LogSecond(long changes, long objects, long requests);

    [LoggerMessage(3, LogLevel.Warning, "In a second: {Failures} steps failed")]
    private partial void LogTrouble(int failures);
}
