using SectionedDocuments.Endpoints;
using Stout.Hosting;

namespace SectionedDocuments.Hosting;

/// <summary>Registers the documents, and the store that keeps them, from configuration.</summary>
internal static class DocumentHosting
{
    public static StoutBuilder AddDocuments(this WebApplicationBuilder builder)
    {
        // Before the Stout, so that it reports after the Stout has drained.
        builder.Services.AddHostedService<DocumentReport>();
        builder.Services.AddSingleton<IDocuments, StoredDocuments>();
        return builder.Services.AddStout().AddCollection<string>("documents").UseStoreOf(builder.Configuration).StallInDevelopment(builder.Environment);
    }
}
