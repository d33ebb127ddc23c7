using Microsoft.Playwright;
using SectionedDocuments.Tests.Processes;
using static Microsoft.Playwright.Assertions;

namespace SectionedDocuments.Page.Tests;

/// <summary>The page of samples/OrleansDocuments, which has an additional panel for the grain.</summary>
public sealed class GrainPanelTests(Browser browser) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task The_page_shows_the_silo_and_the_epoch_of_a_documents_grain_also_after_a_restart()
    {
        var first = await StartAsync();
        try
        {
            await first.WriteAsync("notes", "Introduction", "A grain has a silo.");
            await using var open = await OpenPage.OpenAsync(browser, first, "notes");
            var silo = open.Page.Locator("#grain-silo");
            await Expect(silo).ToContainTextAsync("127.0.0.1:");
            var address = await silo.TextContentAsync();
            await Expect(open.Page.Locator("#grain-epoch")).ToHaveTextAsync("1");
            await Expect(open.Page.Locator("#grain-moves")).ToHaveTextAsync("0");
            await Expect(open.Page.Locator("#grain-fencings")).ToHaveTextAsync("0");
            await Expect(open.DocumentState).ToHaveTextAsync("All saved");
            Assert.Empty(open.Complaints);

            first.Program.Kill();
            await first.Program.ExitAsync();
            await Expect(silo).ToHaveTextAsync("–");
            first.Dispose();
            first = await StartAsync("--urls=" + first.Address);
            await Expect(open.Page.Locator("#grain-epoch")).ToHaveTextAsync("2");
            await Expect(silo).Not.ToHaveTextAsync(address!);
            await open.Text("Introduction").FillAsync("It has another one now.");
            await Expect(open.DocumentState).ToHaveTextAsync("All saved");
            await Expect(open.Page.Locator("#grain-moves")).ToHaveTextAsync("1");
        }
        finally
        {
            first.Dispose();
        }
    }

    [Fact]
    public async Task The_panel_fits_both_widths_and_both_schemes_of_colors()
    {
        using var silo = await StartAsync("--environment=Development");
        await silo.WriteAsync("notes", "Introduction", "A grain has a silo.");
        foreach (var width in (int[])[1280, 380])
        {
            foreach (var scheme in (ColorScheme[])[ColorScheme.Light, ColorScheme.Dark])
            {
                await using var open = await OpenPage.OpenAsync(
                    browser, silo, "notes", new() { ViewportSize = new() { Width = width, Height = 900 }, ColorScheme = scheme, ReducedMotion = ReducedMotion.Reduce });
                await Expect(open.Page.Locator("#grain-silo")).ToContainTextAsync("127.0.0.1:");
                await Expect(open.DocumentState).ToHaveTextAsync("All saved");
                await Expect(open.Page.Locator("#grain-dashboard")).ToHaveAttributeAsync("href", "/dashboard/");
                await open.PictureAsync($"grain-{width}-{scheme.ToString().ToLowerInvariant()}");
                var sizes = await open.Page.EvaluateAsync<int[]>("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]");
                Assert.Equal(sizes[1], sizes[0]);
            }
        }
    }

    [Fact]
    public async Task A_stall_holds_one_reply_for_each_writer()
    {
        using var silo = await StartAsync("--environment=Development");
        // The documents are activated first, since a call that waits for its grain's activation does not count as a held reply.
        await silo.WriteToWritersDocumentsAsync();
        await using var open = await OpenPage.OpenAsync(browser, silo, "notes");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Start 64 writers" }).ClickAsync();
        await Expect(open.Page.GetByRole(AriaRole.Button, new() { Name = "Stop the 64 writers" })).ToBeVisibleAsync();
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Stall the store" }).ClickAsync();
        await Expect(open.Page.Locator("#held-replies")).ToHaveTextAsync("64");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Release the store" }).ClickAsync();
        await Expect(open.Connection).ToHaveTextAsync("Connected");
    }

    private Task<RunningService> StartAsync(params IEnumerable<string> arguments) => RunningService.StartCommandAsync(
        _folder, RunningProgram.Dotnet(Programs.OrleansDocuments, [.. RunningService.Defaults(["--OrleansDocuments:SiloPort=0", .. arguments])]));
}
