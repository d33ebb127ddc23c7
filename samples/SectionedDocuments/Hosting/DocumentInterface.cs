using Microsoft.AspNetCore.Server.Kestrel.Core;
using SectionedDocuments.Endpoints;
using SectionedDocuments.Figures;
using SectionedDocuments.Problems;

namespace SectionedDocuments.Hosting;

/// <summary>The HTTP interface to the documents and the page, for any <see cref="IDocuments"/>.</summary>
internal static class DocumentInterface
{
    public static void AddDocumentInterface(this WebApplicationBuilder builder)
    {
        var service = builder.Configuration.BindStrictly("SectionedDocuments", new ServiceOptions());
        service.Validate();
        builder.Services.AddSingleton(service);
        builder.Services.AddClientLimits(service);
        builder.Services.Configure<KestrelServerOptions>(kestrel => kestrel.Limits.MaxRequestBodySize = service.MaxBodyBytes);
        builder.Services.AddProblems();
        builder.Services.AddFigures();
        builder.Services.AddDescription();
        builder.AddTelemetry();
        if (builder.Environment.IsDevelopment())
        {
            builder.Services.AddSingleton<StoreStall>();
            builder.Services.AddSingleton<DevelopmentWriters>();
        }
    }

    public static void UseDocumentInterface(this WebApplication app, string pageHead = "")
    {
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
        app.MapPage(pageHead);
    }
}
