using Microsoft.Playwright;
using SectionedDocuments.Page.Tests;

[assembly: AssemblyFixture(typeof(Browser))]

namespace SectionedDocuments.Page.Tests;

/// <summary>The system's Chromium, started once for all tests. Each test opens a new context in it, which is like a new browser.</summary>
public sealed class Browser : IAsyncLifetime
{
    private static readonly string[] Places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

    /// <summary>Options that stop the requests of the browser itself, such as update checks.</summary>
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
