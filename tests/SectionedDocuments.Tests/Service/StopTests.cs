using System.Net;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

public sealed class StopTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_restart_keeps_everything()
    {
        using (var service = await RunningService.StartAsync(_folder))
        {
            await service.WriteAsync("kept", "1", "changed twice");
            await service.WriteAsync("kept", "1", "ünd kept 🐟");
            await service.WriteAsync("kept", "2", "");
            await service.WriteAsync("kept", "3", "removed");
            await service.WriteAsync("gone", "1", "gone");
            (await service.Http.DeleteAsync("documents/kept/sections/3", TestContext.Current.CancellationToken)).Dispose();
            (await service.Http.DeleteAsync("documents/gone", TestContext.Current.CancellationToken)).Dispose();
            service.Program.Terminate();
            Assert.Equal(0, await service.Program.ExitAsync());
        }

        using var again = await RunningService.StartAsync(_folder);
        Assert.Equal("ünd kept 🐟", await again.ReadAsync("kept", "1"));
        Assert.Equal("", await again.ReadAsync("kept", "2"));
        using var removed = await again.Http.GetAsync("documents/kept/sections/3", TestContext.Current.CancellationToken);
        await Problem.OfAsync(removed, HttpStatusCode.NotFound, "section-not-found");
        using var gone = await again.Http.GetAsync("documents/gone", TestContext.Current.CancellationToken);
        await Problem.OfAsync(gone, HttpStatusCode.NotFound, "document-not-found");
    }

    [Fact]
    public async Task Stopping_waits_until_what_was_asked_for_is_durable_and_answered()
    {
        const int Requests = 20;
        using (var service = await RunningService.StartWatchedAsync(_folder))
        {
            await service.SetMoodAsync("Hold");
            var held = Enumerable.Range(0, Requests).Select(i => service.PutAsync($"d{i}", "1", $"text {i}")).ToList();
            await AllWaitAsync(service, Requests);

            service.Program.Terminate();
            await service.Program.LineAsync("Application is shutting down");
            Assert.DoesNotContain(held, request => request.IsCompleted);
            await service.SetMoodAsync("Well");
            foreach (var answer in await Task.WhenAll(held))
            {
                Assert.Equal(HttpStatusCode.NoContent, answer.StatusCode);
                answer.Dispose();
            }

            Assert.Equal(0, await service.Program.ExitAsync());
            await service.Program.LineAsync($"Drained: {Requests} changes");
        }

        using var again = await RunningService.StartAsync(_folder);
        for (var i = 0; i < Requests; i++)
            Assert.Equal($"text {i}", await again.ReadAsync($"d{i}", "1"));
    }

    [Fact]
    public async Task Stopping_ends_a_stall_that_someone_has_begun()
    {
        using (var service = await RunningService.StartAsync(_folder, "--environment=Development"))
        {
            await service.WriteAsync("a", "1", "before"); // The document is in memory from now on. A stall holds reads, too.
            using var stalled = await service.Http.PutAsync("development/stall", null, TestContext.Current.CancellationToken);
            Assert.Equal(HttpStatusCode.NoContent, stalled.StatusCode);
            var held = service.PutAsync("a", "1", "held");
            await AllWaitAsync(service, 1);
            service.Program.Terminate();
            using var answer = await held;
            Assert.Equal(HttpStatusCode.NoContent, answer.StatusCode);
            Assert.Equal(0, await service.Program.ExitAsync());
        }

        using var again = await RunningService.StartAsync(_folder);
        Assert.Equal("held", await again.ReadAsync("a", "1"));
    }

    /// <summary>Polls until <paramref name="messages"/> replies wait, since requests take time to reach the store.</summary>
    private static async Task AllWaitAsync(RunningService service, int messages)
    {
        for (var attempt = 0; ; attempt++)
        {
            Assert.True(attempt < 10_000, "The requests never came to wait.");
            var health = await service.Http.GetStringAsync("health", TestContext.Current.CancellationToken);
            if (health.Contains($"\"waitingMessages\":{messages},", StringComparison.Ordinal))
                return;
        }
    }
}
