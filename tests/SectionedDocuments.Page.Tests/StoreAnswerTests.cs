using Microsoft.Playwright;
using SectionedDocuments.Tests.Processes;
using static Microsoft.Playwright.Assertions;

namespace SectionedDocuments.Page.Tests;

public sealed class StoreAnswerTests(Browser browser) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("Unreachable", "The store is unavailable.")]
    [InlineData("Silent", "It is unknown whether the change was made.")]
    public async Task A_text_that_the_store_did_not_take_stays_here_says_why_and_is_sent_again(string mood, string reason)
    {
        using var service = await StartAsync();
        await using var open = await WriteInMoodAsync(service, mood, "Waiting for the store", reason);

        // The page must write the earlier text again when it is restored, since the later one may have been written.
        if (mood == "Silent")
            await open.Text("1").FillAsync("before");
        await service.SetMoodAsync("Well");
        await Expect(open.StateOf("1")).ToHaveTextAsync("Saved");
        Assert.Equal(mood == "Silent" ? "before" : "after", await service.ReadAsync("notes", "1"));
    }

    [Fact]
    public async Task A_text_that_the_store_refused_stays_here_says_why_and_is_sent_on_demand()
    {
        using var service = await StartAsync();
        await using var open = await WriteInMoodAsync(service, "Refuse", "Not saved", "The request failed by a fault of the service.");

        await service.SetMoodAsync("Well");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Try to save 1 now" }).ClickAsync();
        await Expect(open.StateOf("1")).ToHaveTextAsync("Saved");
        Assert.Equal("after", await service.ReadAsync("notes", "1"));
    }

    private Task<RunningService> StartAsync() =>
        RunningService.StartWatchedAsync(_folder, "--Stout:UnreachableTimeout=00:00:00.2", "--Stout:ResolveUnknownFor=00:00:00.2");

    private async Task<OpenPage> WriteInMoodAsync(RunningService service, string mood, string state, string reason)
    {
        await service.WriteAsync("notes", "1", "before");
        var open = await OpenPage.OpenAsync(browser, service, "notes");
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        await service.SetMoodAsync(mood);
        await open.Text("1").FillAsync("after");
        await Expect(open.StateOf("1")).ToHaveTextAsync(state);
        await Expect(open.Page.Locator(".trouble")).ToContainTextAsync(reason);
        await Expect(open.Page.GetByRole(AriaRole.Button, new() { Name = "Try to save 1 now" })).ToBeVisibleAsync();
        return open;
    }
}
