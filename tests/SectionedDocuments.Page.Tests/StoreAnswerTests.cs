using Microsoft.Playwright;
using SectionedDocuments.Tests.Processes;
using static Microsoft.Playwright.Assertions;

namespace SectionedDocuments.Page.Tests;

public sealed class StoreAnswerTests(Browser browser) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("Refuse", "The change was not applied.")]
    [InlineData("Unreachable", "The store can't be used.")]
    [InlineData("Silent", "It is unknown whether the change was applied.")]
    public async Task A_text_that_the_store_did_not_take_stays_here_says_why_and_is_sent_again(string mood, string reason)
    {
        using var service = await RunningService.StartWatchedAsync(
            _folder, "--Stout:UnreachableTimeout=00:00:00.2", "--Stout:ResolveUnknownFor=00:00:00.2");
        await service.WriteAsync("notes", "1", "before");
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        await service.SetMoodAsync(mood);
        await open.Text("1").FillAsync("after");
        await Expect(open.StateOf("1")).ToHaveTextAsync("Waiting for the store");
        await Expect(open.Page.Locator(".trouble")).ToContainTextAsync(reason);
        await Expect(open.Page.GetByRole(AriaRole.Button, new() { Name = "Try to save 1 now" })).ToBeVisibleAsync();

        // The page must write the earlier text again when it is restored, since the later one may have been written.
        if (mood == "Silent")
            await open.Text("1").FillAsync("before");
        await service.SetMoodAsync("Well");
        await Expect(open.StateOf("1")).ToHaveTextAsync("Saved");
        Assert.Equal(mood == "Silent" ? "before" : "after", await service.ReadAsync("notes", "1"));
    }
}
