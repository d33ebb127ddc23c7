using Microsoft.AspNetCore.Server.Kestrel.Core;
using Stout.Hosting;

namespace SectionedDocuments.Hosting;

/// <summary>Registers the documents, and what keeps them, from configuration.</summary>
internal static class DocumentHosting
{
    public static StoutBuilder AddDocuments(this WebApplicationBuilder builder)
    {
        var service = builder.Configuration.BindStrictly("SectionedDocuments", new ServiceOptions());
        service.Validate();
        builder.Services.AddSingleton(service);
        builder.Services.AddClientLimits(service);
        builder.Services.Configure<KestrelServerOptions>(kestrel => kestrel.Limits.MaxRequestBodySize = service.MaxBodyBytes);

        // Before the Stout, so that it reports after the Stout has drained.
        builder.Services.AddHostedService<DocumentReport>();
        var stout = builder.Services.AddStout().AddCollection<string>("documents").UseStoreOf(builder.Configuration);
        if (builder.Environment.IsDevelopment())
        {
            builder.Services.AddSingleton<StoreStall>();
            builder.Services.AddSingleton<DevelopmentWriters>();
            stout.WrapStore((services, store) => new StallableStorage(store, services.GetRequiredService<StoreStall>()));
        }

        return stout;
    }
}
