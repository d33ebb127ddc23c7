using Microsoft.Playwright;
using SectionedDocuments.Tests.Processes;
using static Microsoft.Playwright.Assertions;

namespace SectionedDocuments.Page.Tests;

public sealed class EditorTests(Browser browser) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Edits_are_shown_as_saved_once_the_store_has_them_and_read_back()
    {
        using var service = await RunningService.StartAsync(_folder);
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");
        await Expect(open.Page.Locator("#document-note")).ToContainTextAsync("no sections yet");

        var text = await open.AddSectionAsync("Introduction");
        await text.PressSequentiallyAsync("Ünd it was saved 🐟");
        await Expect(open.StateOf("Introduction")).ToHaveTextAsync("Saved");
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        Assert.Equal("Ünd it was saved 🐟", await service.ReadAsync("notes", "Introduction"));

        await open.Page.ReloadAsync();
        await Expect(open.Text("Introduction")).ToHaveValueAsync("Ünd it was saved 🐟");
    }

    [Fact]
    public async Task A_removed_section_can_be_put_back()
    {
        using var service = await RunningService.StartAsync(_folder);
        await service.WriteAsync("notes", "1", "kept in mind");
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Remove 1" }).ClickAsync();
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        using (var gone = await service.Http.GetAsync("documents/notes", TestContext.Current.CancellationToken))
            Assert.Equal(System.Net.HttpStatusCode.NotFound, gone.StatusCode);

        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Put 1 back" }).ClickAsync();
        await Expect(open.StateOf("1")).ToHaveTextAsync("Saved");
        Assert.Equal("kept in mind", await service.ReadAsync("notes", "1"));
    }

    [Fact]
    public async Task A_refused_text_says_why_and_is_saved_when_it_has_been_put_right()
    {
        using var service = await RunningService.StartAsync(_folder, "--SectionedDocuments:MaxBodyBytes=10");
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");
        var text = await open.AddSectionAsync("1");
        await text.FillAsync("eleven bytes");
        await Expect(open.StateOf("1")).ToHaveTextAsync("Not saved");
        await Expect(open.Page.Locator(".trouble")).ToContainTextAsync("More than the service takes");

        await text.FillAsync("ten bytes");
        await Expect(open.StateOf("1")).ToHaveTextAsync("Saved");
        Assert.Equal("ten bytes", await service.ReadAsync("notes", "1"));
    }

    [Fact]
    public async Task All_can_be_done_with_the_keyboard()
    {
        using var service = await RunningService.StartAsync(_folder, "--environment=Development");
        await using var open = await OpenPage.OpenAsync(browser, service, "first");
        var keys = open.Page.Keyboard;
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");

        await TabToAsync(open, "document-id");
        await keys.PressAsync("Control+A");
        await keys.TypeAsync("by keys");
        await keys.PressAsync("Enter");
        await Expect(open.Page.GetByRole(AriaRole.Heading, new() { Name = "by keys" })).ToBeVisibleAsync();
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");

        await TabToAsync(open, "section-name");
        await keys.TypeAsync("1");
        await keys.PressAsync("Enter");
        await keys.TypeAsync("typed"); // The new section has the focus.
        await Expect(open.StateOf("1")).ToHaveTextAsync("Saved");
        Assert.Equal("typed", await service.ReadAsync("by keys", "1"));

        await TabToAsync(open, "stall-button");
        await keys.PressAsync("Space");
        await Expect(open.Connection).ToHaveTextAsync("The store is stalled");
        await keys.PressAsync("Enter");
        await Expect(open.Connection).ToHaveTextAsync("Connected");
    }

    /// <summary>Presses Tab until the element has the focus. Each element on the way must show an outline while it has the focus.</summary>
    private static async Task TabToAsync(OpenPage open, string id)
    {
        for (var presses = 0; presses < 20; presses++)
        {
            await open.Page.Keyboard.PressAsync("Tab");
            var focused = await open.Page.EvaluateAsync<string[]>("() => [document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]");
            Assert.NotEqual("none", focused[1]);
            if (focused[0] == id)
                return;
        }

        Assert.Fail($"Tab does not reach {id}.");
    }
}
