using SectionedDocuments.Endpoints;
using SectionedDocuments.Figures;
using SectionedDocuments.Hosting;
using SectionedDocuments.Problems;
using Microsoft.Extensions.Options;
using Stout;
using Stout.Hosting;

namespace SectionedDocuments;

/// <summary>The paper's service (section 5.1): documents made of sections, kept in memory, each edit durable before it is answered.</summary>
public static class SectionedDocumentsApp
{
    private const string DefaultUrl = "http://127.0.0.1:5080";

    /// <summary>Runs the service until it is told to stop.</summary>
    /// <param name="args">The command line, as configuration.</param>
    /// <param name="configure">Changes the host before it is built: a test host watches the store, say.</param>
    /// <returns>The process's exit code: 0 after a clean stop, 1 if the service could not start or not drain.</returns>
    public static async Task<int> RunAsync(string[] args, Action<WebApplicationBuilder, StoutBuilder>? configure = null)
    {
        try
        {
            await using var app = Create(args, configure);
            await app.RunAsync();
            return 0;
        }
        catch (Exception error) when (error is StoutException or IOException or InvalidOperationException or FormatException or OperationCanceledException or OptionsValidationException)
        {
            await Console.Error.WriteLineAsync($"SectionedDocuments: {error.Message}");
            return 1;
        }
    }

    /// <summary>Builds the service without starting it.</summary>
    public static WebApplication Create(string[] args, Action<WebApplicationBuilder, StoutBuilder>? configure = null)
    {
        // The settings lie beside the program, wherever it is started from.
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { Args = args, ContentRootPath = AppContext.BaseDirectory });

        // Not in appsettings.json: there it would win over ASPNETCORE_URLS.
        if (string.IsNullOrEmpty(builder.Configuration[WebHostDefaults.ServerUrlsKey]))
            builder.WebHost.UseUrls(DefaultUrl);

        // RunAsync reports what this category would: once, on one line.
        builder.Logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.None);

        var stout = builder.AddDocuments();
        builder.Services.AddProblems();
        builder.Services.AddFigures();
        builder.Services.AddDescription();
        builder.AddTelemetry();
        configure?.Invoke(builder, stout);

        var app = builder.Build();
        app.UseSecurityHeaders();
        app.UseProblems();
        app.UseRateLimiter();
        app.UseRawPath();
        app.UseRequestRecorder();
        app.UseRouting();
        app.MapSections();
        app.MapDocuments();
        app.MapHealth();
        app.MapEvents();
        app.MapDevelopment();
        app.MapTelemetry();
        app.MapOpenApi();
        app.MapPage();
        return app;
    }
}
