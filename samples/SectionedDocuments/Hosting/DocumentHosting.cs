using Microsoft.AspNetCore.Server.Kestrel.Core;
using Stout;
using Stout.Documents;
using Stout.Sqlite;
using Stout.Storage;

namespace SectionedDocuments.Hosting;

/// <summary>Registers the documents, and what keeps them, from configuration.</summary>
internal static class DocumentHosting
{
    public static void AddDocuments(this WebApplicationBuilder builder)
    {
        var configuration = builder.Configuration;
        var service = configuration.BindStrictly("SectionedDocuments", new ServiceOptions());
        service.Validate();
        builder.Services.AddSingleton(service);
        builder.Services.Configure<KestrelServerOptions>(kestrel => kestrel.Limits.MaxRequestBodySize = service.MaxBodyBytes);

        var sqlite = configuration.BindStrictly("Stout:Sqlite", new SqliteOptions());
        builder.Services.AddSingleton(sqlite);
        builder.Services.AddSingleton<IStorageProxy>(builder.AddStall(new SqliteStorage(sqlite)));

        var documents = configuration.BindStrictly("Stout:Documents", new DocumentStoreOptions());
        configuration.BindStrictly("Stout:Options", documents.Stout);
        builder.Services.AddSingleton(documents);
        builder.Services.AddSingleton<DocumentHost>();
        builder.Services.AddHostedService(services => services.GetRequiredService<DocumentHost>());
    }

    /// <summary>In development the store can be stalled.</summary>
    private static IStorageProxy AddStall(this WebApplicationBuilder builder, IStorageProxy store)
    {
        if (!builder.Environment.IsDevelopment())
            return store;
        var stall = new StoreStall();
        builder.Services.AddSingleton(stall);
        return new StallableStorage(store, stall);
    }
}
