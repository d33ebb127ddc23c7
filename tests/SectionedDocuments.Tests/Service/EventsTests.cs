using System.Net.ServerSentEvents;
using System.Text.Json;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

public sealed class EventsTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Events_tell_what_the_service_has_just_done()
    {
        using var service = await RunningService.StartAsync(_folder);
        await using var stream = await service.Http.GetStreamAsync("events", Cancellation);
        await using var events = SseParser.Create(stream, (_, data) => JsonSerializer.Deserialize<JsonElement>(data))
            .EnumerateAsync(Cancellation).GetAsyncEnumerator(Cancellation);
        var idle = await NextAsync(events);
        Assert.Equal(0, Number(idle, "requestsPerSecond"));
        Assert.Equal(JsonValueKind.Null, idle.GetProperty("meanLatency").ValueKind);
        Assert.Equal(JsonValueKind.Null, idle.GetProperty("stalled").ValueKind); // The store can be stalled in development only.

        await service.WriteAsync("a", "1", "text");
        var busy = await NextAsync(events);
        while (Number(busy, "requestsPerSecond") == 0)
            busy = await NextAsync(events);
        Assert.True(Number(busy, "meanLatency") > 0);
        Assert.True(Number(busy, "highLatency") >= Number(busy, "meanLatency"));
        Assert.Equal(1, Number(busy, "batchSize"));
        Assert.Equal(0, Number(busy, "collapsedShare"));
        Assert.Equal(idle.GetProperty("service").GetGuid(), busy.GetProperty("service").GetGuid());
    }

    [Fact]
    public async Task Listeners_do_not_keep_the_service_from_stopping()
    {
        using var service = await RunningService.StartAsync(_folder);
        await using var stream = await service.Http.GetStreamAsync("events", Cancellation);
        using var reader = new StreamReader(stream);
        await reader.ReadLineAsync(Cancellation);
        service.Program.Terminate();

        await reader.ReadToEndAsync(Cancellation); // An aborted stream would throw.
        Assert.Equal(0, await service.Program.ExitAsync());
    }

    private static double Number(JsonElement figures, string name) => figures.GetProperty(name).GetDouble();

    private static async Task<JsonElement> NextAsync(IAsyncEnumerator<SseItem<JsonElement>> events)
    {
        Assert.True(await events.MoveNextAsync());
        return events.Current.Data;
    }
}
