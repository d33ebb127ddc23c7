using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

public sealed class StoreTroubleTests : IDisposable
{
    /// <summary>The largest value that SQLite's proxy commits.</summary>
    private const long LargestValue = 64 << 20;

    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Overload_is_answered_with_when_to_come_back()
    {
        using var service = await StartAsync("--Stout:MaxWaitingMessages=1", "--Stout:OverloadBehavior=Fail");
        await service.SetMoodAsync("Hold");
        var held = service.PutAsync("a", "1", "held");
        await service.Program.LineAsync("write held");

        using var refused = await service.PutAsync("b", "1", "too much");
        await Problem.OfAsync(refused, HttpStatusCode.ServiceUnavailable, "stout:overloaded");
        Assert.True(refused.Headers.RetryAfter?.Delta >= TimeSpan.FromSeconds(1));

        await service.SetMoodAsync("Well");
        using var answer = await held;
        Assert.Equal(HttpStatusCode.NoContent, answer.StatusCode);
        await service.WriteAsync("b", "1", "room again");
    }

    [Fact]
    public async Task A_refused_change_was_not_applied_and_can_be_made_again()
    {
        using var service = await StartAsync();
        await service.WriteAsync("a", "1", "before");
        await service.SetMoodAsync("Refuse");
        using var refused = await service.PutAsync("a", "1", "refused");
        await Problem.OfAsync(refused, HttpStatusCode.InternalServerError, "stout:server-fault");
        Assert.Null(refused.Headers.RetryAfter);

        using var unread = await service.Http.GetAsync("documents/other", Cancellation);
        await Problem.OfAsync(unread, HttpStatusCode.InternalServerError, "stout:server-fault");

        await service.SetMoodAsync("Well");
        Assert.Equal("before", await service.ReadAsync("a", "1"));
        await service.WriteAsync("a", "1", "after");
        Assert.Equal("after", await service.ReadAsync("a", "1"));
    }

    [Fact]
    public async Task A_store_that_stays_unreachable_is_told_apart_and_shows_in_health()
    {
        using var service = await StartAsync("--Stout:UnreachableTimeout=00:00:00.2");
        await service.WriteAsync("a", "1", "before");
        await service.SetMoodAsync("Unreachable");
        using var failed = await service.PutAsync("a", "1", "lost");
        await Problem.OfAsync(failed, HttpStatusCode.ServiceUnavailable, "stout:store-unavailable");

        using var health = await service.Http.GetAsync("health", Cancellation);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, health.StatusCode);
        var report = await health.Content.ReadFromJsonAsync<JsonElement>(Cancellation);
        Assert.Equal("store-failing", report.GetProperty("status").GetString());
        using var ready = await service.Http.GetAsync("health/ready", Cancellation);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, ready.StatusCode);
        using var live = await service.Http.GetAsync("health/live", Cancellation);
        Assert.Equal(HttpStatusCode.OK, live.StatusCode);

        await service.SetMoodAsync("Well");
        Assert.Equal("before", await service.ReadAsync("a", "1"));
        await service.WriteAsync("a", "1", "after");
        using var well = await service.Http.GetAsync("health", Cancellation);
        Assert.Equal(HttpStatusCode.OK, well.StatusCode);
    }

    [Fact]
    public async Task A_store_that_is_refused_for_good_is_not_ready()
    {
        using var service = await StartAsync();
        await service.WriteAsync("a", "1", "before");
        File.Delete(_folder.File("documents.db"));

        using var refused = await service.PutAsync("a", "1", "lost");
        await Problem.OfAsync(refused, HttpStatusCode.InternalServerError, "stout:server-fault");
        using var health = await service.Http.GetAsync("health", Cancellation);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, health.StatusCode);
        var report = await health.Content.ReadFromJsonAsync<JsonElement>(Cancellation);
        Assert.Equal("store-refusing", report.GetProperty("status").GetString());
        Assert.Equal("LayoutMismatch", report.GetProperty("statistics").GetProperty("storeRefusal").GetString());
        using var live = await service.Http.GetAsync("health/live", Cancellation);
        Assert.Equal(HttpStatusCode.OK, live.StatusCode);
    }

    [Fact]
    public async Task An_unknown_outcome_is_called_unknown()
    {
        using var service = await StartAsync("--Stout:ResolveUnknownFor=00:00:00.2");
        await service.WriteAsync("a", "1", "before");
        await service.SetMoodAsync("Silent");
        using var unknown = await service.PutAsync("a", "1", "who knows");
        await Problem.OfAsync(unknown, HttpStatusCode.GatewayTimeout, "stout:outcome-unknown");

        // The silent store has applied the change, so a new read must find it.
        await service.SetMoodAsync("Well");
        Assert.Equal("who knows", await service.ReadAsync("a", "1"));
    }

    [Fact]
    public async Task A_change_that_the_store_cannot_commit_is_refused_with_size_and_limit()
    {
        using var service = await StartAsync("--SectionedDocuments:MaxBodyBytes=2000000000");
        using var small = new ByteArrayContent(new byte[1]);
        using var probe = await service.Http.PutAsync("documents/a/sections/1", small, Cancellation);
        Assert.Equal(HttpStatusCode.NoContent, probe.StatusCode);

        var text = new byte[LargestValue + 1];
        Array.Fill(text, (byte)'x');
        using var refused = await service.Http.PutAsync("documents/a/sections/1", new ByteArrayContent(text), Cancellation);
        var problem = await Problem.OfAsync(refused, HttpStatusCode.RequestEntityTooLarge, "stout:change-too-large");
        Assert.Equal(text.Length, problem.Extensions["size"].GetInt64());
        Assert.Equal(LargestValue, problem.Extensions["limit"].GetInt64());
        Assert.Equal("\0", await service.ReadAsync("a", "1"));
    }

    private Task<RunningService> StartAsync(params string[] arguments) =>
        RunningService.StartWatchedAsync(_folder, ["--Stout:Pacing:Law=NoBatching", .. arguments]);
}
