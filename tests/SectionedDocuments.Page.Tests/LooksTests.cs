using System.Text.RegularExpressions;
using Microsoft.Playwright;
using SectionedDocuments.Tests.Processes;
using static Microsoft.Playwright.Assertions;

namespace SectionedDocuments.Page.Tests;

public sealed class LooksTests(Browser browser) : IDisposable
{
    private const string Lines = "A section is a part of a document, and its name the sub-key.\nIt is written when the batch that carries it is.";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Charts_move_with_the_requests()
    {
        using var service = await ServiceAsync();
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");
        var requests = open.Page.Locator("figure").Filter(new() { HasText = "Requests per second" });
        await Expect(requests.Locator(".chart-now")).ToHaveTextAsync("0");
        var canvas = requests.Locator("canvas");
        var still = await canvas.EvaluateAsync<string>("canvas => canvas.toDataURL()");

        await open.Text("Introduction").PressSequentiallyAsync("A few words.");
        await Expect(requests.Locator(".chart-now")).Not.ToHaveTextAsync("0");
        await Expect(open.Page.Locator("figure").Filter(new() { HasText = "Latency" }).Locator(".chart-now")).ToContainTextAsync("p99");
        await open.Page.WaitForFunctionAsync("still => document.querySelector('figure canvas').toDataURL() !== still", still);
        Assert.Equal(5, await open.Page.Locator("figure canvas").CountAsync());
        await Expect(open.Page.Locator("#charts-absent")).ToBeHiddenAsync();
    }

    [Fact]
    public async Task No_line_is_drawn_across_a_time_without_figures()
    {
        using var service = await ServiceAsync();
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");

        // Draws a minute of figures without the 20 seconds in the middle. Counts the drawn pixels of two columns of the chart: on the line, and in the gap.
        var ink = await open.Page.EvaluateAsync<int[]>(
            """
            async () => {
              const [{ Chart }, { Series }] = await Promise.all([import("/page/chart.js"), import("/page/series.js")]);
              const series = new Series(["value"]);
              for (let time = 0; time <= 60; time += 0.25) if (time < 20 || time > 40) series.add(time, { value: 3 });
              const grid = document.getElementById("chart-grid");
              new Chart({ name: "Test", format: String, least: 10, lines: [{ of: "value" }] }, grid, false).show(series, { value: 3 });
              await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
              const canvas = grid.lastElementChild.querySelector("canvas");
              const plot = grid.lastElementChild.querySelector(".u-over");
              return [0.15, 0.5].map(place => {
                const x = (plot.offsetLeft + plot.clientWidth * place) * canvas.width / canvas.clientWidth;
                const pixels = canvas.getContext("2d").getImageData(Math.round(x), 0, 1, canvas.height).data;
                return pixels.filter((value, i) => i % 4 === 3 && value > 0).length;
              });
            }
            """);
        Assert.True(ink[1] < ink[0], $"{ink[1]} pixels in the gap, {ink[0]} on the line");

        // uPlot interrupts a line only at null.
        Assert.True(await open.Page.EvaluateAsync<bool>(
            """
            async () => {
              const { Series } = await import("/page/series.js");
              const series = new Series(["value"]);
              series.add(0, { value: 3 });
              series.interrupt(0.25);
              series.add(0.5, { value: 3 });
              return series.of(["value"])[1][1] === null;
            }
            """));
    }

    [Fact]
    public async Task A_new_document_opens_without_an_error_in_the_browser()
    {
        using var service = await RunningService.StartAsync(_folder);
        await using var open = await OpenPage.OpenAsync(browser, service, "new");
        await Expect(open.Page.Locator("#document-note")).ToContainTextAsync("no sections yet");
        await Expect(open.Connection).ToHaveTextAsync("Connected");
        Assert.Empty(open.Complaints);

        // Browsers with a window request this icon for every answer that names no icon.
        using var icon = await service.Http.GetAsync("favicon.ico", TestContext.Current.CancellationToken);
        Assert.Equal(System.Net.HttpStatusCode.OK, icon.StatusCode);
        Assert.Equal("image/svg+xml", icon.Content.Headers.ContentType?.MediaType);
    }

    [Fact]
    public async Task Built_without_npm_the_page_shows_figures_without_charts_and_says_so()
    {
        var standIn = Path.Combine(Programs.Repository, "samples", "SectionedDocuments", "Page", "without-charts", "uPlot.esm.js");
        using var service = await ServiceAsync();
        await using var open = await OpenPage.OpenAsync(browser, service, "notes", prepare: page => page.RouteAsync(
            "**/page/uPlot.js", route => route.FulfillAsync(new() { Path = standIn, ContentType = "text/javascript" })));
        await Expect(open.Page.Locator("#charts-absent")).ToBeVisibleAsync();
        await open.Text("Introduction").PressSequentiallyAsync("A few words.");
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        await Expect(open.Page.Locator("figure").Filter(new() { HasText = "Latency" }).Locator(".chart-now")).ToContainTextAsync("p99");
        Assert.Equal(0, await open.Page.Locator("figure canvas").CountAsync());
        Assert.Empty(open.Complaints);
    }

    [Fact]
    public async Task Nothing_leaves_the_origin_and_nothing_offends_the_security_policy()
    {
        using var service = await ServiceAsync();
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        await Expect(open.Connection).ToHaveTextAsync("Connected");
        await open.Text("Introduction").FillAsync("Changed");
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");

        Assert.Empty(open.Complaints);
        Assert.NotEmpty(open.Requests);
        Assert.All(open.Requests, request => Assert.Equal(service.Address.Authority, request.Authority));
        using var page = await service.Http.GetAsync("", TestContext.Current.CancellationToken);
        var policy = Assert.Single(page.Headers.GetValues("Content-Security-Policy"));
        Assert.StartsWith("default-src 'none';", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("wide", 1280, ColorScheme.Light)]
    [InlineData("phone", 380, ColorScheme.Light)]
    [InlineData("dark", 1280, ColorScheme.Dark)]
    public async Task It_fits_the_width_and_the_colours_that_the_reader_has(string name, int width, ColorScheme scheme)
    {
        using var service = await ServiceAsync("--environment=Development");
        await using var open = await OpenPage.OpenAsync(
            browser, service, "notes", new() { ViewportSize = new() { Width = width, Height = 900 }, ColorScheme = scheme, ReducedMotion = ReducedMotion.Reduce });
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        await open.Text("Introduction").PressSequentiallyAsync(" More of it, typed key by key.");
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        await open.PictureAsync(name);

        var sizes = await open.Page.EvaluateAsync<int[]>("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]");
        Assert.Equal(sizes[1], sizes[0]);
        Assert.Equal(0, await open.Page.EvaluateAsync<int>("() => document.getAnimations().length"));
        var (ink, paper) = (await LuminanceAsync(open, "color"), await LuminanceAsync(open, "backgroundColor"));
        Assert.Equal(scheme == ColorScheme.Dark, ink > paper);
        Assert.True((Math.Max(ink, paper) + 0.05) / (Math.Min(ink, paper) + 0.05) >= 7, "Text must stand out from the paper (WCAG AAA).");
    }

    [Fact]
    public async Task Charts_and_an_open_document_show_what_the_services_own_writers_do()
    {
        using var service = await RunningService.StartAsync(_folder, "--environment=Development");
        await using var open = await OpenPage.OpenAsync(browser, service, "writers-0");
        await open.Page.GetByRole(AriaRole.Button, new() { Name = "Start 64 writers" }).ClickAsync();

        await Expect(open.Page.Locator("figure").Filter(new() { HasText = "Requests per second" }).Locator(".chart-now")).ToHaveTextAsync(new Regex("[0-9]{2,}"));
        await Expect(open.Page.Locator("figure").Filter(new() { HasText = "Latency" }).Locator(".chart-now")).ToHaveTextAsync(new Regex("mean [0-9]"));
        var text = open.Text("Writer 00");
        await Expect(text).ToHaveValueAsync(new Regex("Edit [0-9]+"));
        var first = await text.InputValueAsync();
        await Expect(text).Not.ToHaveValueAsync(first);
        Assert.Empty(open.Complaints);
    }

    [Fact]
    public async Task A_text_under_edit_stays_while_another_client_changes_and_removes_other_sections()
    {
        using var service = await ServiceAsync();
        await service.WriteAsync("notes", "2", "to be removed");
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");
        await open.Text("Introduction").FillAsync("Typed here");
        await Expect(open.StateOf("Introduction")).ToHaveTextAsync("Saved");
        await service.WriteAsync("notes", "3", "from elsewhere");
        await Expect(open.Text("3")).ToHaveValueAsync("from elsewhere");
        await service.WriteAsync("notes", "3", "changed elsewhere");
        await Expect(open.Text("3")).ToHaveValueAsync("changed elsewhere");
        using (var gone = await service.Http.DeleteAsync("documents/notes/sections/2", TestContext.Current.CancellationToken))
            gone.EnsureSuccessStatusCode();
        await Expect(open.Text("2")).ToBeHiddenAsync();
        await Expect(open.Text("Introduction")).ToHaveValueAsync("Typed here");
    }

    [Fact]
    public async Task Nothing_overflows_at_any_width_also_when_the_window_shrinks()
    {
        using var service = await ServiceAsync("--environment=Development");
        await using var open = await OpenPage.OpenAsync(browser, service, "notes");
        await Expect(open.DocumentState).ToHaveTextAsync("All saved");
        for (var width = 1600; width >= 320; width -= 80)
        {
            await open.Page.SetViewportSizeAsync(width, 900);
            await open.Page.WaitForFunctionAsync(
                """
                () => document.documentElement.scrollWidth === document.documentElement.clientWidth
                  && [...document.querySelectorAll("figure")].every(figure => {
                    const canvas = figure.querySelector("canvas").getBoundingClientRect(), section = figure.closest("section").getBoundingClientRect();
                    return canvas.left >= section.left && canvas.right <= section.right;
                  })
                """);
        }
    }

    private async Task<RunningService> ServiceAsync(params string[] arguments)
    {
        var service = await RunningService.StartAsync(_folder, arguments);
        await service.WriteAsync("notes", "Introduction", Lines);
        await service.WriteAsync("notes", "A longer name of a section, which must not widen the page", "Short.");
        return service;
    }

    /// <summary>WCAG's relative luminance of a color of the page.</summary>
    private static Task<double> LuminanceAsync(OpenPage open, string property) => open.Page.EvaluateAsync<double>(
        """
        property => {
          const [r, g, b] = getComputedStyle(document.body)[property].match(/[\d.]+/g).map(Number)
            .map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        }
        """, property);
}
