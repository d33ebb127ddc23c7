using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Stout.Diagnostics;
using Stout.Documents;
using Stout.Storage;

namespace Stout.Hosting;

/// <summary>One Stout of an application: created when first resolved, opened when the host starts.</summary>
internal sealed class StoutInstance : IAsyncDisposable, IDisposable
{
    private readonly Lock _lock = new();
    private Task? _opening;

    private StoutInstance(StoutClient client, DocumentStore? documents)
    {
        Client = client;
        Documents = documents;
    }

    public StoutClient Client { get; }

    /// <summary>The typed layer; null if the application uses the base layer.</summary>
    public DocumentStore? Documents { get; }

    public static StoutInstance OfDocuments(IServiceProvider services, StoutBuilder builder)
    {
        var options = services.GetRequiredService<IOptionsMonitor<DocumentStoreOptions>>().Get(builder.Name).Copy();
        Report(options.Stout.Diagnostics, services, builder);
        var documents = new DocumentStore(Store(services, builder, options.Stout), options, Time(services));
        return new StoutInstance(documents.Client, documents);
    }

    public static StoutInstance OfClient(IServiceProvider services, StoutBuilder builder, IStoutApplication? application)
    {
        var options = services.GetRequiredService<IOptionsMonitor<StoutOptions>>().Get(builder.Name).Copy();
        Report(options.Diagnostics, services, builder);
        return new StoutInstance(new StoutClient(Store(services, builder, options), application, options, Time(services)), null);
    }

    /// <summary>Opens the store, once.</summary>
    public Task OpenAsync(CancellationToken cancellationToken)
    {
        lock (_lock)
            return _opening ??= Client.OpenAsync(cancellationToken).AsTask();
    }

    public Task StopAsync(CancellationToken cancellationToken) =>
        Documents?.StopAsync(cancellationToken) ?? Client.StopAsync(cancellationToken);

    public ValueTask DisposeAsync() => Documents?.DisposeAsync() ?? Client.DisposeAsync();

    /// <summary>Disposes within a time limit, in a container that is disposed synchronously.</summary>
    public void Dispose()
    {
        if (Documents is null)
            Client.Dispose();
        else
            Documents.Dispose();
    }

    // Fills in unset options: the factories of loggers and meters from the application's services, and the client's name from the Stout's name.
    private static void Report(StoutDiagnostics diagnostics, IServiceProvider services, StoutBuilder builder)
    {
        if (builder.Name.Length > 0 && diagnostics.ClientName == StoutDiagnostics.DefaultClientName)
            diagnostics.ClientName = builder.Name;
        diagnostics.LoggerFactory ??= services.GetService<ILoggerFactory>();
        diagnostics.MeterFactory ??= services.GetService<IMeterFactory>();
    }

    private static AwaitedStore Store(IServiceProvider services, StoutBuilder builder, StoutOptions options) => new(
        () => builder.MakeStore(services),
        options,
        Time(services));

    private static TimeProvider Time(IServiceProvider services) => services.GetService<TimeProvider>() ?? TimeProvider.System;
}
