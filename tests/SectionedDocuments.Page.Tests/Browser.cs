using Microsoft.Playwright;
using SectionedDocuments.Page.Tests;

[assembly: AssemblyFixture(typeof(Browser))]

namespace SectionedDocuments.Page.Tests;

/// <summary>One Chromium, the system's, for all tests; each opens a context of its own in it, as if the browser were new.</summary>
public sealed class Browser : IAsyncLifetime
{
    private static readonly string[] Places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

    /// <summary>Stops the requests that a browser makes on its own account.</summary>
    private static readonly string[] Quiet =
        ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

    private IPlaywright? _playwright;
    private IBrowser? _browser;

    public async ValueTask InitializeAsync()
    {
        var program = Array.Find(Places, File.Exists) ?? throw new InvalidOperationException("Chromium is needed: tests/run.sh installs it.");
        _playwright = await Playwright.CreateAsync();
        _browser = await _playwright.Chromium.LaunchAsync(new() { ExecutablePath = program, Args = Quiet });
    }

    public Task<IBrowserContext> NewContextAsync(BrowserNewContextOptions options) => _browser!.NewContextAsync(options);

    public async ValueTask DisposeAsync()
    {
        if (_browser is not null)
            await _browser.DisposeAsync();
        _playwright?.Dispose();
    }
}
