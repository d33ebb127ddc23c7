using Microsoft.Playwright;
using SectionedDocuments.Tests.Processes;
using static Microsoft.Playwright.Assertions;

namespace SectionedDocuments.Page.Tests;

public sealed class TroubleTests(Browser browser) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task While_the_store_stalls_edits_wait_and_then_the_newest_is_saved()
    {
        using var service = await RunningService.StartAsync(_folder, "--environment=Development");
        foreach (var name in (string[])["Introduction", "Method", "Results", "Discussion", "Thanks"])
            await service.WriteAsync("notes", name, "before");
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Stall the store" }).ClickAsync();
        await Expect(open.Connection).ToHaveTextAsync("The store is stalled");

        // The edited sections must not use up the browser's connections to the service, since the release needs one.
        foreach (var name in (string[])["Introduction", "Method", "Results", "Discussion", "Thanks"])
        {
            await open.Text(name).FillAsync("during the");
            await open.Text(name).PressSequentiallyAsync(" stall");
        }

        await Expect(open.StateOf("Introduction")).ToHaveTextAsync("Waiting for the store");
        await Expect(open.StateOf("Thanks")).ToHaveTextAsync("Waiting for the store");
        await Expect(open.DocumentState).ToHaveTextAsync("5 edits waiting for the store");
        await Expect(open.Page.Locator("#announcements")).ToContainTextAsync("waiting for the store");
        await Expect(open.Page.Locator("#held-replies")).Not.ToHaveTextAsync("0");
        await open.PictureAsync("stalled");

        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Release the store" }).ClickAsync();
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        Assert.Equal("during the stall", await service.ReadAsync("notes", "Introduction"));
        Assert.Equal("during the stall", await service.ReadAsync("notes", "Thanks"));
        Assert.Empty(open.Complaints);
    }

    [Fact]
    public async Task While_the_store_stalls_the_edits_of_many_writers_collapse_into_one_write_for_each_document()
    {
        using var service = await RunningService.StartAsync(_folder, "--environment=Development");
        // The documents are read first, since a document that is not in memory can't be changed during a stall.
        await service.WriteToWritersDocumentsAsync();
        await using var open = await OpenPage.OpenAsync(browser, service, "writers-0");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Start 64 writers" }).ClickAsync();
        await Expect(open.Page.Locator("#writers-button")).ToHaveTextAsync("Stop the 64 writers");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Stall the store" }).ClickAsync();

        // Each writer waits for the reply to one edit; eight of them edit one document.
        await Expect(open.Page.Locator("#held-replies")).ToHaveTextAsync("64");
        await Expect(open.Page.Locator("#dirty-keys")).ToHaveTextAsync("8");
        await Expect(open.Page.Locator("#collapsed")).ToHaveTextAsync("88 %");
        await open.PictureAsync("stalled-writers");

        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Stop the 64 writers" }).ClickAsync();
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Release the store" }).ClickAsync();
        await Expect(open.Page.Locator("#held-replies")).ToHaveTextAsync("0");
        await Expect(open.Page.Locator("#dirty-keys")).ToHaveTextAsync("0");
        using var sections = await service.Http.GetAsync("documents/writers-7", TestContext.Current.CancellationToken);
        Assert.Equal(System.Net.HttpStatusCode.OK, sections.StatusCode);
        Assert.Empty(open.Complaints);
    }

    [Fact]
    public async Task A_killed_service_gets_what_was_not_saved_when_it_is_back()
    {
        var before = await RunningService.StartAsync(_folder, "--environment=Development");
        await before.WriteAsync("notes", "1", "before");
        await using var open = await OpenPage.OpenAsync(browser, before, "notes");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Stall the store" }).ClickAsync();
        await Expect(open.Connection).ToHaveTextAsync("The store is stalled");
        await open.Text("1").FillAsync("on its way when the service was killed");
        await Expect(open.StateOf("1")).ToHaveTextAsync("Waiting for the store");

        before.Program.Kill();
        await before.Program.ExitAsync();
        before.Dispose();
        await Expect(open.StateOf("1")).ToHaveTextAsync("Kept here");
        await Expect(open.Connection).ToContainTextAsync("connecting again");
        await open.Text("1").FillAsync("typed while the service was down");
        await open.PictureAsync("offline");

        using var after = await RunningService.StartAsync(_folder, $"--urls={before.Address.GetLeftPart(UriPartial.Authority)}");
        await Expect(open.Connection).ToHaveTextAsync("The service was restarted: unsaved text was sent again");
        await Expect(open.StateOf("1")).ToHaveTextAsync("Saved");
        Assert.Equal("typed while the service was down", await after.ReadAsync("notes", "1"));
        await Expect(open.Page.Locator("#stall-button")).ToBeHiddenAsync(); // The service has been restarted outside development.
    }

    [Fact]
    public async Task Outside_development_the_store_can_not_be_stalled_and_the_service_has_no_writers()
    {
        using var service = await RunningService.StartAsync(_folder);
        using var put = await service.Http.PutAsync("development/stall", null, TestContext.Current.CancellationToken);
        await Problem.OfAsync(put, System.Net.HttpStatusCode.NotFound, "unknown-route");
        using var writers = await service.Http.PutAsync("development/writers", null, TestContext.Current.CancellationToken);
        await Problem.OfAsync(writers, System.Net.HttpStatusCode.NotFound, "unknown-route");
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");
        await Expect(open.Connection).ToHaveTextAsync("Connected");
        await Expect(open.Page.Locator("#stall-button")).ToBeHiddenAsync();
    }
}
