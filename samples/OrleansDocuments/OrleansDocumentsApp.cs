using OrleansDocuments.Calls;
using OrleansDocuments.Endpoints;
using OrleansDocuments.Hosting;
using SectionedDocuments.Endpoints;
using SectionedDocuments.Hosting;

namespace OrleansDocuments;

/// <summary>The document service with a grain for each document. Each process is a silo, and serves the documents of all silos by HTTP.</summary>
internal static class OrleansDocumentsApp
{
    private const string DefaultUrl = "http://127.0.0.1:5080";

    private const string PageHead =
        """
          <link rel="stylesheet" href="/page/grain-panel.css">
          <script type="module" src="/page/grain-panel.js"></script>

        """;

    /// <summary>Builds the service without starting it.</summary>
    public static WebApplication Create(string[] args)
    {
        var builder = ServiceRun.CreateBuilder(args, DefaultUrl);
        builder.AddDocumentInterface();
        builder.AddSilo();
        builder.Services.AddSingleton<RepeatedCalls>();
        builder.Services.AddSingleton<GrainDocuments>();
        builder.Services.AddSingleton<IDocuments>(services => services.GetRequiredService<GrainDocuments>());

        var app = builder.Build();
        app.UseDashboard();
        app.UseDocumentInterface(PageHead);
        app.MapGrains();
        return app;
    }
}
