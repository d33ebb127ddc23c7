using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using SectionedDocuments.Tests.Processes;

namespace Samples.Tests;

public sealed class GameStateTests : IDisposable
{
    private const int Players = 10_000;
    private const int Health = 1_000_000;

    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Ten_thousand_players_and_the_raid_that_all_of_them_fight_outlive_a_kill()
    {
        using (var game = await StartAsync())
        {
            await SucceedAsync(game.Http.PutAsync($"raids/dragon?health={Health}", null, Cancellation));
            await Crowd.DoAsync(Players, async (i, cancellation) =>
            {
                await SucceedAsync(game.Http.PostAsync($"players/{i}/steps?dx={i % 7}&dy={i % 5}", null, cancellation));
                await SucceedAsync(game.Http.PostAsync($"raids/dragon/attacks/{i}?damage={1 + (i % 3)}", null, cancellation));
            });

            // The objects written are each player once, and the raid less than once for each attack, since concurrent attacks shared writes of the raid.
            var figures = await game.Http.GetFromJsonAsync<JsonElement>("figures", Cancellation);
            Assert.InRange(figures.GetProperty("objectsWritten").GetInt64(), Players + 1, (2 * Players) - 1);
            Assert.True(figures.GetProperty("writeRequests").GetInt64() < Players);
            game.Program.Kill();
            await game.Program.ExitAsync();
        }

        using var restarted = await StartAsync();
        var raid = await restarted.Http.GetFromJsonAsync<JsonElement>("raids/dragon", Cancellation);
        Assert.Equal(Players, raid.GetProperty("attackers").GetInt32());
        Assert.Equal(Health - Enumerable.Range(0, Players).Sum(i => 1 + (i % 3)), raid.GetProperty("health").GetInt64());
        var ids = await restarted.Http.GetFromJsonAsync<List<int>>("players", Cancellation);
        Assert.Equal(Enumerable.Range(0, Players), ids!.Order());
        foreach (var i in (int[])[0, 4_711, Players - 1])
        {
            var player = await restarted.Http.GetFromJsonAsync<JsonElement>($"players/{i}", Cancellation);
            Assert.Equal(i % 7, player.GetProperty("position").GetProperty("x").GetInt32());
            Assert.Equal(i % 5, player.GetProperty("position").GetProperty("y").GetInt32());
        }
    }

    [Fact]
    public async Task Bots_play_until_the_service_stops_and_are_there_when_it_is_back()
    {
        using (var game = await StartAsync("--Bots=500"))
        {
            await game.Program.LineAsync("All 500 bots play");
            await game.Program.LineAsync("In a second:");
            game.Program.Terminate();
            Assert.Equal(0, await game.Program.ExitAsync());
            Assert.DoesNotContain("steps failed", game.Program.Output, StringComparison.Ordinal);
        }

        using var restarted = await StartAsync();
        var ids = await restarted.Http.GetFromJsonAsync<List<string>>("players?prefix=bot-", Cancellation);
        Assert.Equal(500, ids!.Count);
    }

    [Fact]
    public async Task A_raid_that_is_over_takes_no_attack()
    {
        using var game = await StartAsync();
        await SucceedAsync(game.Http.PutAsync("raids/rat?health=10", null, Cancellation));
        await SucceedAsync(game.Http.PostAsync("raids/rat/attacks/ada?damage=25", null, Cancellation));
        using var late = await game.Http.PostAsync("raids/rat/attacks/bob?damage=1", null, Cancellation);
        Assert.Equal(HttpStatusCode.Conflict, late.StatusCode);
        Assert.Equal(
            """{"health":0,"attackers":1,"top":[{"player":"ada","damage":10}]}""", await game.Http.GetStringAsync("raids/rat", Cancellation));
    }

    [Fact]
    public async Task A_clients_mistake_is_answered_as_one_and_logged_as_none()
    {
        using var game = await StartAsync();
        foreach (var path in (string[])[$"players/{new string('x', 4_100)}/steps?dx=1&dy=1", "players/ada/steps?dx=11&dy=1", "players/ada/steps?dx=north&dy=1"])
        {
            using var answer = await game.Http.PostAsync(path, null, Cancellation);
            Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        }

        game.Program.Terminate();
        Assert.Equal(0, await game.Program.ExitAsync());
        Assert.DoesNotContain("fail:", game.Program.Output, StringComparison.Ordinal);
    }

    private static async Task SucceedAsync(Task<HttpResponseMessage> call)
    {
        using var answer = await call;
        answer.EnsureSuccessStatusCode();
    }

    private Task<RunningService> StartAsync(params string[] arguments) => RunningService.StartCommandAsync(
        _folder, RunningProgram.Dotnet(Programs.GameState, ["--urls=http://127.0.0.1:0", "--Stout:Sqlite:Path=" + _folder.File("game.db"), .. arguments]));
}
