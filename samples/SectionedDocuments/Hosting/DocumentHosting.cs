using SectionedDocuments.Endpoints;
using Stout.Hosting;

namespace SectionedDocuments.Hosting;

/// <summary>Registers the documents, and the store that keeps them, from configuration.</summary>
internal static class DocumentHosting
{
    public static StoutBuilder AddDocuments(this WebApplicationBuilder builder)
    {
        // Added before Stout, so that it is stopped, and reports, after Stout has drained.
        builder.Services.AddHostedService<DocumentReport>();
        builder.Services.AddSingleton<IDocuments, StoredDocuments>();
        return builder.Services.AddStout().AddCollection<string>("documents").UseStoreOf(builder.Configuration).StallInDevelopment(builder.Environment);
    }
}
