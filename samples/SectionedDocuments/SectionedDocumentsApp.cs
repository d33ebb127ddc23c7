using SectionedDocuments.Hosting;
using Stout.Hosting;

namespace SectionedDocuments;

/// <summary>The paper's service (section 5.1): documents made of sections, kept in memory, each edit durable before it is answered.</summary>
public static class SectionedDocumentsApp
{
    private const string DefaultUrl = "http://127.0.0.1:5080";

    /// <summary>Runs the service until it is told to stop.</summary>
    /// <param name="args">The command line, as configuration.</param>
    /// <param name="configure">Changes the host before it is built. Tests use it to watch the store, for example.</param>
    /// <returns>The process's exit code: 0 after a clean stop, 1 if the service could not start or not drain.</returns>
    public static Task<int> RunAsync(string[] args, Action<WebApplicationBuilder, StoutBuilder>? configure = null) =>
        ServiceRun.RunAsync("SectionedDocuments", () => Create(args, configure));

    /// <summary>Builds the service without starting it.</summary>
    public static WebApplication Create(string[] args, Action<WebApplicationBuilder, StoutBuilder>? configure = null)
    {
        var builder = ServiceRun.CreateBuilder(args, DefaultUrl);
        var stout = builder.AddDocuments();
        builder.AddDocumentInterface();
        configure?.Invoke(builder, stout);

        var app = builder.Build();
        app.UseDocumentInterface();
        return app;
    }
}
