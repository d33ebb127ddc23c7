using Microsoft.Playwright;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Page.Tests;

/// <summary>The page of a running service in a browser, with its requests and its errors.</summary>
internal sealed class OpenPage : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly IBrowserContext _context;
    private readonly List<string> _complaints = [];
    private readonly List<Uri> _requests = [];

    private OpenPage(IBrowserContext context, IPage page)
    {
        _context = context;
        Page = page;
        page.Request += (_, request) => Note(() => _requests.Add(new Uri(request.Url)));
        page.PageError += (_, error) => Note(() => _complaints.Add(error));
        page.Console += (_, message) =>
        {
            if (message.Type is "error" or "warning")
                Note(() => _complaints.Add($"{message.Text} at {message.Location}"));
        };
    }

    public IPage Page { get; }

    /// <summary>Errors, warnings and violations of the security policy, as the browser's console shows them.</summary>
    public IReadOnlyList<string> Complaints
    {
        get
        {
            lock (_lock)
                return [.. _complaints];
        }
    }

    public IReadOnlyList<Uri> Requests
    {
        get
        {
            lock (_lock)
                return [.. _requests];
        }
    }

    public ILocator DocumentState => Page.Locator("#document-state");

    public ILocator Connection => Page.Locator("#connection");

    public static async Task<OpenPage> OpenAsync(Browser browser, RunningService service, string document, BrowserNewContextOptions? options = null, Func<IPage, Task>? prepare = null)
    {
        var context = await browser.NewContextAsync(options ?? new BrowserNewContextOptions { ViewportSize = new() { Width = 1280, Height = 900 } });
        context.SetDefaultTimeout(120_000); // It turns a hang into a failure, and no assertion depends on it.
        Assertions.SetDefaultExpectTimeout(120_000);
        var open = new OpenPage(context, await context.NewPageAsync());
        if (prepare is not null)
            await prepare(open.Page);
        await open.Page.GotoAsync($"{service.Address}#{Uri.EscapeDataString(document)}");
        return open;
    }

    /// <summary>Adds a section as a person would.</summary>
    public async Task<ILocator> AddSectionAsync(string name)
    {
        await Page.GetByLabel("New section").FillAsync(name);
        await Page.GetByRole(AriaRole.Button, new() { Name = "Add", Exact = true }).ClickAsync();
        return Text(name);
    }

    public ILocator Text(string section) => Page.GetByRole(AriaRole.Textbox, new() { Name = section, Exact = true });

    public ILocator StateOf(string section) => Page.Locator(".section").Filter(new() { Has = Text(section) }).Locator(".badge");

    /// <summary>Saves a picture of the page for people to look at.</summary>
    public Task PictureAsync(string name) => Page.ScreenshotAsync(new() { Path = Path.Combine(Programs.Repository, "artifacts", "page", name + ".png"), FullPage = true });

    public ValueTask DisposeAsync() => _context.DisposeAsync();

    private void Note(Action action)
    {
        lock (_lock)
            action();
    }
}
