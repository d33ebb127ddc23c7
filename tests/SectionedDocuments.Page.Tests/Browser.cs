using Microsoft.Playwright;
using SectionedDocuments.Page.Tests;
using Stout.Tests.Shared;

[assembly: AssemblyFixture(typeof(Browser))]

namespace SectionedDocuments.Page.Tests;

/// <summary>The system's Chromium, started once for all tests. Each test opens a new context in it, which is like a new browser.</summary>
public sealed class Browser : IAsyncLifetime
{
    /// <summary>Options that stop the requests of the browser itself, such as update checks.</summary>
    private static readonly string[] Quiet =
        ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

    private IPlaywright? _playwright;
    private IBrowser? _browser;

    public async ValueTask InitializeAsync()
    {
        if (SystemPrograms.Find("chromium", "chromium-browser", "google-chrome") is not { } program)
            return;
        _playwright = await Playwright.CreateAsync();
        _browser = await _playwright.Chromium.LaunchAsync(new() { ExecutablePath = program, Args = Quiet });
    }

    /// <summary>Opens a new context. Without Chromium the test is skipped.</summary>
    public Task<IBrowserContext> NewContextAsync(BrowserNewContextOptions options)
    {
        Assert.SkipWhen(_browser is null, "Chromium is not installed.");
        return _browser.NewContextAsync(options);
    }

    public async ValueTask DisposeAsync()
    {
        if (_browser is not null)
            await _browser.DisposeAsync();
        _playwright?.Dispose();
    }
}
